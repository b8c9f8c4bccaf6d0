import { walkStoreFaults } from "../../../support/fault-walk.ts";

walkStoreFaults("platform", {
  getRoot: "reaches no store",
  getHealth: "reaches no store",
  getInfo: "reaches no store",
  getOpenApi: "reaches no store",
  getLlmsTxt: "reaches no store",
  getFavicon: "reaches no store",
  getDocs: "reaches no store",
});
