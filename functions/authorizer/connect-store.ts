import { connectDb } from "../../shared/stores/db.ts";
import { accessStoreOver } from "../../shared/stores/service-accounts/access-store.ts";

/** Loaded on demand: the client is several times as large as all the rest of this function. */
export const connectStore = (env: Parameters<typeof connectDb>[0]) => accessStoreOver(connectDb(env));
