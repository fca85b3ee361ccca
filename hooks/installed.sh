#!/bin/sh
# What the user's own settings run in a session that belongs to sm and was not started by it: installed.sh PROGRAM
# [ARGUMENT…]. It lies in the state directory, beside the programs, and so knows it when nobody has said which it is.
here=${0%/*}
export SM_HOME="${SM_HOME:-${here%/*}}"
program=$here/$1
shift
. "$program"
