#!/bin/sh
# What agents that were started by an earlier version run before they edit a file.
. "${0%/*}/tool.sh"
