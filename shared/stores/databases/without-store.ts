export { databaseKey, newDatabase } from "./new-database.ts";
