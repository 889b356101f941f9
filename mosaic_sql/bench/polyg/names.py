"""Names for generated nodes: people, titles of papers and books, venues, publishers, brands, things."""

from __future__ import annotations

import random

FIRST = (
    "Ada Adel Aiko Alba Amara Anders Anika Arjun Astrid Bela Bruno Camille Carlos Chidi Clara Dario Deepa Dmitri "
    "Edda Elif Emeka Enzo Esther Farah Felix Fiona Goran Greta Hana Hector Henrik Ines Ingrid Ivo Jamal Jana Joao "
    "Jonas Kamal Karin Kenji Kofi Lara Leila Liang Livia Luca Maeve Magnus Malik Marta Mateo Mina Mirela Nadia "
    "Naoko Nils Noor Olga Omar Oskar Paolo Petra Priya Quentin Rafael Rania Renata Rohan Rosa Sanjay Selma Silvia "
    "Soren Sunita Tariq Tessa Thandi Tomas Ulrike Uma Vera Victor Wanda Wei Xenia Yara Yusuf Zainab Zoltan"
).split()
LAST = (
    "Abara Adeyemi Ahlgren Almeida Andrade Aoki Baptiste Barros Becker Belov Bergmann Bianchi Borges Brandt Brennan "
    "Calloway Castell Chandra Chaudhry Costa Czerny Dahl Delgado Demir Devereux Dlamini Drake Duarte Ekwueme Endo "
    "Eriksen Falk Farouk Ferreira Fischer Fontaine Fujita Gallo Garrido Ghosh Grabowski Gupta Haddad Halvorsen "
    "Hartmann Hayashi Herrera Hofer Horvat Ibrahim Ivanov Jankowski Jensen Kaplan Karlsson Keita Khatri Kimura "
    "Klein Kovacs Kowalski Laurent Lehtonen Lindqvist Lombardi Lopes Lund Machado Maier Marchetti Mbeki Mendes "
    "Mercier Molnar Morales Moreau Nakagawa Nandi Nguyen Novak Nwosu Okafor Olsen Ortega Osei Pavlov Pereira Petrov "
    "Pillai Quispe Raman Reyes Ricci Rosen Rossi Sakamoto Salazar Santoro Schreiber Sen Sharma Silva Sorensen "
    "Suarez Takeda Tanaka Teixeira Thorne Tiwari Toth Ueda Vargas Vasquez Vidal Virtanen Volkov Wagner Weiss Wolff "
    "Yamada Yilmaz Zhang Zielinski Zimmer"
).split()
FIELDS = (
    "Estuaries Glaciers Pollination Turbulence Sediments Aerosols Enzymes Membranes Ceramics Polymers Photonics "
    "Robotics Compilers Cryptography Databases Linguistics Phonetics Epidemics Nutrition Anaesthesia Oncology "
    "Seismology Auctions Logistics"
).split()
METHOD = (
    "Adaptive Bayesian Causal Coarse Compressed Continuous Convex Coupled Discrete Distributed Dynamic Empirical "
    "Fast Fractional Geometric Global Hierarchical Hybrid Implicit Incremental Inverse Latent Layered Linear Local "
    "Minimal Modular Nested Nonlinear Optimal Parallel Passive Periodic Predictive Quantised Random Recursive "
    "Robust Scalable Sequential Sparse Spectral Stable Statistical Stochastic Structured Symbolic Symmetric Uniform "
    "Variational"
).split()
ACT = (
    "Analysis Approximation Calibration Classification Comparison Compression Control Correction Decomposition "
    "Detection Diagnosis Encoding Estimation Filtering Forecasting Identification Imaging Inference Integration "
    "Interpolation Measurement Modelling Monitoring Optimisation Planning Prediction Reconstruction Regression "
    "Sampling Scheduling Segmentation Simulation Smoothing Synthesis Testing Tracking Validation"
).split()
ADJECTIVE = (
    "Amber Ancient Ashen Autumn Bitter Blind Borrowed Brass Broken Burning Copper Crimson Crooked Distant Drowned "
    "Dusty Empty Fallen Forgotten Frozen Gentle Gilded Glass Golden Grey Hidden Hollow Hungry Iron Ivory Last Late "
    "Little Lonely Long Lost Marble Midnight Nameless Narrow Northern Pale Paper Patient Quiet Restless Rusted Salt "
    "Scarlet Secret Seventh Shallow Silent Silver Sleeping Stolen Stubborn Sudden Tender Thirsty Velvet Wandering "
    "Weary Western Wild Winter Wooden"
).split()
NOUN = (
    "Anchor Apprentice Archive Atlas Bell Bishop Blossom Bridge Candle Canyon Captain Carnival Cartographer "
    "Cathedral Clockmaker Compass Coral Crown Daughter Dawn Desert Diver Echo Ember Emperor Falcon Ferry Fiddler "
    "Fountain Fox Garden Gate Ghost Harbour Harvest Heron Horizon Island Jury Keeper Kingdom Ladder Lagoon Lantern "
    "Lighthouse Locksmith Map Meadow Mirror Monsoon Moth Mountain Needle Oath Ocean Orchard Owl Painter Pilgrim "
    "Prairie Prophet Quarry Raven Reef River Road Rope Saddle Sailor Sparrow Station Storm Summer Tailor Thief "
    "Thorn Tide Tower Valley Vineyard Violin Voyage Watchman Well Widow Willow Window Witness Wolf"
).split()
THING = (
    "Backpack Blender Bookshelf Camera Charger Clock Cooker Desk Drill Fan Flask Freezer Grill Guitar Hammock "
    "Headset Heater Helmet Jacket Juicer Kettle Keyboard Ladle Lamp Mattress Microphone Mixer Monitor Mop Mug Oven "
    "Pan Printer Projector Racket Razor Router Sander Saw Scale Scanner Scooter Shovel Speaker Stapler Stool Stove "
    "Suitcase Tent Thermometer Toaster Torch Tripod Trowel Tumbler Umbrella Vacuum Wallet Watch Wrench"
).split()
FEATURE = (
    "Basic Compact Cordless Curved Deluxe Digital Double Electric Ergonomic Flat Foldable Heavy Insulated Large "
    "Light Magnetic Mini Portable Pro Quick Rugged Slim Smart Soft Solar Stackable Steady Tall Travel Twin Ultra "
    "Waterproof"
).split()
SYLLABLE = (
    "ba bel cor da del dor fen fi gal hal jo ka kel lo lum ma mir na nor or pa pel ra ril sa sol ta tel ur va vel zen"
).split()


def person(rng: random.Random) -> str:
    """A first and a last name, in one of four cases with an initial between."""
    first, last = rng.choice(FIRST), rng.choice(LAST)
    return f"{first} {rng.choice('ABCDEFGHJKLMNPRSTVW')}. {last}" if rng.random() < 0.25 else f"{first} {last}"


def paper(rng: random.Random, field: str) -> str:
    """The title of a paper of a field."""
    method, other, act = rng.choice(METHOD), rng.choice(METHOD), rng.choice(ACT)
    title: str = rng.choice(
        (
            f"{method} {act} of {field}",
            f"{method} {act} for {other} {field}",
            f"On {other} {rng.choice(ACT)} and {method} {act} in {field}",
            f"Towards {method} {act} of {field}: {rng.choice(ACT)} under {other} Constraints",
        )
    )
    return title


def venue(rng: random.Random, field: str) -> str:
    """A journal or a conference of a field."""
    name: str = rng.choice(
        (
            f"Journal of {field}",
            f"International Conference on {field}",
            f"{rng.choice(METHOD)} {field} Letters",
            f"Annals of {rng.choice(METHOD)} {field}",
            f"Symposium on {rng.choice(METHOD)} {field}",
            f"Transactions on {field} and {rng.choice(ACT)}",
        )
    )
    return name


def book(rng: random.Random) -> str:
    """The title of a novel."""
    noun, other, adjective = rng.choice(NOUN), rng.choice(NOUN), rng.choice(ADJECTIVE)
    name: str = rng.choice(
        (
            f"The {adjective} {noun}",
            f"{adjective} {noun}",
            f"The {noun} of the {other}",
            f"The {noun}'s {other}",
            f"{noun} and {other}",
            f"A {adjective} {noun} for {rng.choice(FIRST)}",
        )
    )
    return name


def publisher(rng: random.Random) -> str:
    """A publishing house."""
    name: str = rng.choice(
        (
            f"{rng.choice(LAST)} & {rng.choice(LAST)}",
            f"{rng.choice(NOUN)} Press",
            f"{rng.choice(ADJECTIVE)} {rng.choice(NOUN)} House",
            f"{rng.choice(LAST)} Verlag",
        )
    )
    return name


def series(rng: random.Random) -> str:
    """A series of novels."""
    ending = rng.choice(("Chronicles", "Cycle", "Mysteries", "Quartet", "Saga", "Stories", "Trilogy"))
    return f"The {rng.choice(ADJECTIVE)} {rng.choice(NOUN)} {ending}"


def brand(rng: random.Random) -> str:
    """A made-up word."""
    return "".join(rng.choice(SYLLABLE) for _ in range(rng.choice((2, 3)))).capitalize()


def item(rng: random.Random, brand_name: str, thing: str) -> str:
    """Something that a brand sells; its name begins with the brand's."""
    return f"{brand_name} {rng.choice(FEATURE)} {thing} {rng.choice(('', 'X', 'S', 'Z'))}{10 * rng.randint(1, 99)}"


def sentence(rng: random.Random, about: str, length: int = 24) -> str:
    """Some words that say little, as abstracts and blurbs do."""
    words = [rng.choice((rng.choice(METHOD), rng.choice(ACT), rng.choice(NOUN))).lower() for _ in range(length)]
    return f"{about}: {' '.join(words)}."
