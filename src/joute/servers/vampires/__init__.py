"""The tournament server of Vampires vs Werewolves: frames over TCP, for programs as they are."""
