#!/bin/sh
# Does scripts/fleet.sbatch run a fleet under Slurm, a GPU for each task? In model mode, with a slurmctld and a
# slurmd of this test's own on this machine, whose four GPUs are /dev/null and
# the like.
set -eu

PATH=$PATH:/usr/sbin:/sbin
for program in munged slurmctld slurmd sbatch; do
    if ! command -v "$program" >/dev/null; then
        echo "no $program here (scripts/setup fleet)"
        exit 77
    fi
done

work=$(mktemp -d)
node=$(uname -n | cut -d. -f1)
user=$(id -un)
stop() {
    pids=$(cat "$work"/*.pid)
    # shellcheck disable=SC2086 # numbers
    kill $pids || true
    for pid in $pids; do
        while kill -0 "$pid" 2>/dev/null; do
            sleep 0.1
        done
    done
    rm -rf "$work"
}
trap stop EXIT

# Ports that nobody else is likely to have, two runs of this test at a time included.
port=$((20000 + $$ % 20000))
mkdir "$work/state" "$work/spool"
cat >"$work/slurm.conf" <<END
ClusterName=test
MessageTimeout=30
SlurmctldHost=$node(127.0.0.1)
SlurmctldPort=$port
SlurmdPort=$((port + 1))
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/munge
AuthInfo=socket=$work/munge.socket
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
GresTypes=gpu
NodeName=$node NodeAddr=127.0.0.1 CPUs=4 Gres=gpu:4
PartitionName=all Nodes=$node Default=YES OverSubscribe=EXCLUSIVE
END
for device in null zero full random; do
    echo "NodeName=$node Name=gpu File=/dev/$device"
done >"$work/gres.conf"
export SLURM_CONF="$work/slurm.conf"

chmod 755 "$work"
head -c 1024 /dev/urandom >"$work/key"
chmod 600 "$work/key"
munged --force --socket="$work/munge.socket" --key-file="$work/key" --pid-file="$work/munge.pid" \
    --seed-file="$work/seed" --log-file="$work/munge.log" 2>/dev/null
slurmctld -f "$SLURM_CONF"
slurmd -f "$SLURM_CONF" -N "$node"
tries=0
until [ "$(sinfo --noheader --format=%t 2>/dev/null)" = idle ]; do
    tries=$((tries + 1))
    if [ "$tries" -gt 60 ]; then
        tail -n 20 "$work/slurmctld.log" "$work/slurmd.log"
        echo "the test's own Slurm did not come up within 30 s"
        exit 1
    fi
    sleep 0.5
done

# Submits the job, and waits for its end (sbatch --wait looks every few seconds alone). Leaves the exit
# status of the batch script.
submit() {
    job=$(sbatch --parsable --nodes=1 --gpus-per-node=4 --ntasks-per-node=4 --output="$work/job.log" \
        scripts/fleet.sbatch "$@")
    until scontrol show job "$job" | grep -qE 'JobState=(COMPLETED|FAILED|CANCELLED|TIMEOUT|NODE_FAIL)'; do
        sleep 0.1
    done
    status=$(scontrol show job "$job" | sed -n 's/.*ExitCode=\([0-9]*\):.*/\1/p')
}

# Which GPU is each task shown? And a task that does not end well is named, and makes the job fail.
cat >"$work/program" <<'END'
#!/bin/sh
echo "CUDA_VISIBLE_DEVICES=$CUDA_VISIBLE_DEVICES $*"
exit 3
END
chmod +x "$work/program"
OUT=$work/gpus SWIZZLEBENCH=$work/program submit --full
[ "$status" -ne 0 ]
for number in 0 1 2 3; do
    said="CUDA_VISIBLE_DEVICES=$number run --device 0 --out $work/gpus/$node-$number --full"
    echo "$said" | diff - "$work/gpus/$node-$number/log"
    grep -qx "fleet: $work/gpus/$node-$number: exit status 3: $said" "$work/job.log"
done

OUT=$work/out submit --backend model shared --filter layout=K/128B
cat "$work/job.log"
[ "$status" -eq 0 ]
grep -q '^4 folders, .* 0 outliers$' "$work/job.log"
