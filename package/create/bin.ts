#!/usr/bin/env node
import { CreateError } from "./create-error.ts";
import { create } from "./main.ts";

try {
  await create(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof CreateError ? error.message : error);
  process.exitCode = error instanceof CreateError ? 2 : 1;
}
