import { expect } from "vitest";
import type { AcceptedRun } from "../../../../shared/schemas/runs/run.ts";
import { taken } from "../../../support/fault-lab.ts";
import { asAdmin, type Exception, get, walkStoreFaults } from "../../../support/fault-walk.ts";
import type { FaultWorld } from "../../../support/fault-world.ts";

/** A database that is to be migrated up. */
const atFirstVersion = async ({ admin, past }: FaultWorld): Promise<AcceptedRun> => {
  for (let status = 0; status !== 200; ) {
    ({ status } = await admin.post("/databases/main/migrate?target_version=1"));
  }
  return past;
};
/** The sweeper sends the message, or it was sent after all. */
const startedLater: Exception = {
  kind: /^sqs SendMessage/,
  check: (answer) => expect([200, 202]).toContain(answer.status),
};

walkStoreFaults(
  "databases",
  {
    getDatabase: [{ what: "the one", send: get(asAdmin, () => "/databases/main"), status: 200 }],
    migrateAllDatabases: [
      {
        what: "up",
        prepare: atFirstVersion,
        send: ({ admin }) => taken(admin.send("POST", "/databases/all/migrate")),
        status: 200,
        except: [startedLater],
      },
    ],
    migrateDatabase: [
      {
        what: "up",
        prepare: atFirstVersion,
        send: ({ admin }) => taken(admin.send("POST", "/databases/main/migrate")),
        status: 200,
        except: [startedLater],
      },
    ],
  },
  "own world",
);
