-- Every vector goes, and the columns of fixed width take another one.

ALTER TABLE chunk ALTER COLUMN embedding SET DATA TYPE FLOAT[$dimension] USING NULL;
ALTER TABLE sentence ALTER COLUMN embedding SET DATA TYPE FLOAT[$dimension] USING NULL;
ALTER TABLE node ALTER COLUMN embedding SET DATA TYPE FLOAT[] USING NULL;
ALTER TABLE relation ALTER COLUMN embedding SET DATA TYPE FLOAT[$dimension] USING NULL;
ALTER TABLE edge ALTER COLUMN embedding SET DATA TYPE FLOAT[] USING NULL;
