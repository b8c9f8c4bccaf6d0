import { walkStoreFaults } from "../../../support/fault-walk.ts";

walkStoreFaults("config", {
  getConfig: "reaches no store",
  getMe: "reaches no store",
  listModels: "reaches no store",
  listRegistry: "reaches no store",
});
