#!/usr/bin/env node
import { create } from "./main.ts";
import { CreateError } from "./create-error.ts";

try {
  await create(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof CreateError ? error.message : error);
  process.exitCode = error instanceof CreateError ? 2 : 1;
}
