export { listViews, MOST_VIEWS, removeView, saveView } from "./saved-views.ts";
export { countUserData, type DataOfUser, hasPurges, userData } from "./user-data.ts";
export {
  allCounts,
  endPass,
  getUserRemoval,
  requestUserRemoval,
  type StoredUserRemoval,
  userRemovalWork,
  wireUserRemoval,
} from "./user-removal.ts";
