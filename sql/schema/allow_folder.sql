-- The one folder that may still be read when external access goes off.
SET allowed_directories = [$folder];
