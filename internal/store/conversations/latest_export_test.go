package conversations

// LatestEndUsersUntil is latestEndUsers.
var LatestEndUsersUntil = Store.latestEndUsers
