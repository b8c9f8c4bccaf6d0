import { walkStoreFaults } from "../../../support/fault-walk.ts";

// Each route is walked as its example asks it.
walkStoreFaults("feedback", {});
