"""What every question reads, held in memory and offered to SQL as vectorised functions: the graph, and the text."""

from mosaic_sql.resident.graph import Resident
from mosaic_sql.resident.paged import Paged
from mosaic_sql.resident.text import ResidentText

__all__ = ["Paged", "Resident", "ResidentText"]
