-- A row is written several times a second: unlogged, and with room for its next versions beside it.
CREATE UNLOGGED TABLE "rate_limits" (
    "owner_id" UUID NOT NULL,
    "class" TEXT NOT NULL,
    "per_minute" INTEGER NOT NULL,
    "granted" INTEGER NOT NULL,
    "level" DOUBLE PRECISION NOT NULL,
    "filled_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "rate_limits_pkey" PRIMARY KEY ("owner_id","class")
) WITH (fillfactor = 50);
