import { createHash } from "node:crypto";

/** A number that only a text decides: a choice by it stays when other texts are added. */
export const stableNumber = (text: string): number =>
  createHash("sha256").update(text).digest().readUInt32BE();
