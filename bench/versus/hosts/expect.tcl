# expect behind the six calls of a host, over MCP on stdio.
package require json
package require json::write
json::write indented 0
log_user 0
set stty_init "rows 40 columns 120"
# Room for more than a screen: the default forgets all but the last 2000 bytes.
match_max 100000
fconfigure stdin -encoding utf-8
fconfigure stdout -encoding utf-8 -buffering line

proc get {args_ key} {
  if {[dict exists $args_ $key]} {return [dict get $args_ $key]}
  return ""
}

proc start {command} {
  global spawn_id
  spawn -noecho /bin/bash -c $command
  return $spawn_id
}

# What expect says after waiting for the prompt it was told.
proc seen {id args_} {
  set told [get $args_ prompt]
  if {$told eq ""} {set told [get $args_ screen]}
  set timeout [expr {[dict get $args_ limitMs] / 1000.0}]
  set timeout [expr {int(ceil($timeout))}]
  set text ""
  set state unknown
  if {$told eq ""} {
    expect -i $id eof {set state exited} timeout {}
  } else {
    expect -i $id -ex $told {set state waiting} eof {set state exited} timeout {}
  }
  if {[info exists expect_out(buffer)]} {set text $expect_out(buffer)}
  return [list $text $state]
}

proc reply {id text state} {
  return [json::write object id [json::write string $id] \
    text [json::write string $text] state [json::write string $state]]
}

proc tool {name args_} {
  switch $name {
    run {
      set id [start [dict get $args_ command]]
      set timeout [expr {int(ceil([dict get $args_ limitMs] / 1000.0))}]
      set all ""
      set state unknown
      # The idiom of the manual for all output to the end.
      expect -i $id -re {.+} {
        append all $expect_out(buffer)
        if {[dict get $args_ want] eq "end" && [string length $all] > 1000000} {
          set all [string range $all end-100000 end]
        }
        exp_continue
      } eof {set state exited} timeout {}
      catch {close -i $id}
      catch {wait -i $id}
      return [reply $id $all $state]
    }
    open {
      set id [start [dict get $args_ command]]
      lassign [seen $id $args_] text state
      return [reply $id $text $state]
    }
    say {
      set id [dict get $args_ id]
      send -i $id -- "[dict get $args_ line]\r"
      lassign [seen $id $args_] text state
      return [reply $id $text $state]
    }
    press {
      set id [dict get $args_ id]
      foreach part [dict get $args_ parts] {send -i $id -- $part}
      lassign [seen $id $args_] text state
      return [reply $id $text $state]
    }
    close {
      set id [dict get $args_ id]
      catch {close -i $id}
      catch {wait -nowait -i $id}
      return [reply $id "" exited]
    }
  }
}

proc answer {method params} {
  switch $method {
    initialize {
      set version [json::write string [dict get $params protocolVersion]]
      set info [json::write object name {"expect"} version [json::write string [exp_version]]]
      return [json::write object protocolVersion $version capabilities {{"tools":{}}} serverInfo $info]
    }
    tools/list {
      set list {}
      foreach name {run open say press close} {
        lappend list [json::write object name [json::write string $name] inputSchema {{"type":"object"}}]
      }
      return [json::write object tools [json::write array {*}$list]]
    }
    tools/call {
      set text [tool [dict get $params name] [dict get $params arguments]]
      set part [json::write object type {"text"} text [json::write string $text]]
      return [json::write object content [json::write array $part]]
    }
  }
}

while {[gets stdin line] >= 0} {
  set request [json::json2dict $line]
  if {![dict exists $request id]} continue
  set method [dict get $request method]
  set params [get $request params]
  set id [dict get $request id]
  if {![string is integer -strict $id]} {set id [json::write string $id]}
  if {$method in {initialize tools/list tools/call}} {
    puts [json::write object jsonrpc {"2.0"} id $id result [answer $method $params]]
  } else {
    puts [json::write object jsonrpc {"2.0"} id $id error {{"code":-32601,"message":"no such method"}}]
  }
}
