import { setTimeout as pause } from "node:timers/promises";
import type { AcceptedRun } from "../../../../shared/schemas/runs/run.ts";
import { taken } from "../../../support/fault-lab.ts";
import { accepted, asAdmin, get, walkStoreFaults } from "../../../support/fault-walk.ts";
import type { FaultWorld } from "../../../support/fault-world.ts";
import { UNKNOWN_HOST } from "../../../support/unknown-host.ts";

/** A content that is processed, under the name of a run. */
const someContent = (world: FaultWorld) => added(world, { text_content: `a text ${crypto.randomUUID()}` });
/** The same from an address, which nothing is fetched from. */
const fetchedContent = (world: FaultWorld) =>
  added(world, { url: `https://${UNKNOWN_HOST}/${crypto.randomUUID()}` });
const added = async ({ admin }: FaultWorld, form: Record<string, string>): Promise<AcceptedRun> => {
  const { json } = await admin.post("/knowledge/content", { form });
  const status = async () => (await admin.get(`/knowledge/content/${json.id}/status`)).json.status;
  while ((await status()) === "processing") await pause(50);
  return { run_id: json.id, session_id: "", status: "COMPLETED" };
};
/** The only content of its base: while the removal of one fails, that of another would go on. */
const onlyContent = async (world: FaultWorld): Promise<AcceptedRun> => {
  await world.admin.send("DELETE", "/knowledge/content");
  return someContent(world);
};
const contentPath = ({ run_id }: AcceptedRun) => `/knowledge/content/${run_id}`;

walkStoreFaults(
  "knowledge",
  {
    addContent: [
      {
        what: "a text",
        // The worker has started: it takes what is added next at once, and not while the test compares the stores.
        prepare: someContent,
        send: ({ admin }) =>
          taken(admin.send("POST", "/knowledge/content", { form: { text_content: crypto.randomUUID() } })),
        status: 202,
        except: [accepted(202)],
      },
    ],
    addRemoteContent: "as addContent",
    createUploadUrl: [
      {
        what: "a file",
        send: ({ admin }) => {
          const json = { filename: "large.txt", size: 5_000_000 };
          return taken(admin.send("POST", "/knowledge/content/upload-url", { json }));
        },
        status: 201,
      },
    ],
    listContent: [{ what: "the newest", send: get(asAdmin, () => "/knowledge/content"), status: 200 }],
    getContent: [{ what: "one", prepare: someContent, send: get(asAdmin, contentPath), status: 200 }],
    getContentStatus: [
      {
        what: "one",
        prepare: someContent,
        send: get(asAdmin, (one) => `${contentPath(one)}/status`),
        status: 200,
      },
    ],
    refreshContent: [
      {
        what: "one from an address",
        prepare: fetchedContent,
        send: ({ admin }, one) => taken(admin.send("POST", `${contentPath(one)}/refresh`)),
        status: 202,
        except: [accepted(202)],
      },
    ],
    updateContent: [
      {
        what: "a name",
        prepare: someContent,
        send: ({ admin }, one) =>
          taken(admin.send("PATCH", contentPath(one), { form: { name: crypto.randomUUID() } })),
        status: 200,
      },
    ],
    removeContent: [
      {
        what: "one",
        prepare: someContent,
        send: ({ admin }, one) => taken(admin.send("DELETE", contentPath(one))),
        status: 200,
        except: [accepted(200)],
      },
    ],
    removeAllContent: [
      {
        what: "one of a base",
        prepare: onlyContent,
        send: ({ admin }) => taken(admin.send("DELETE", "/knowledge/content")),
        status: 200,
        except: [accepted(200)],
      },
    ],
    getKnowledgeConfig: [{ what: "a base", send: get(asAdmin, () => "/knowledge/config"), status: 200 }],
    listKnowledgeSources: { reachesNoStoreAt: "/knowledge/85c9c664-e3cd-8dd4-4e98-04c3a45da2e5/sources" },
    // No bucket is a source here.
    listSourceFiles: "as listKnowledgeSources",
    searchKnowledge: [
      {
        what: "a base",
        prepare: someContent,
        send: ({ admin }) => taken(admin.send("POST", "/knowledge/search", { json: { query: "a text" } })),
        status: 200,
      },
    ],
  },
  "own world",
);
