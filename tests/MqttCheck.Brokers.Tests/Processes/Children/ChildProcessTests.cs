using System.Diagnostics;
using System.Globalization;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Processes.Children;

namespace MqttCheck.Brokers.Tests.Processes.Children;

[Platform("Linux,MacOsX")]
public sealed class ChildProcessTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(10);

    [Test]
    public async Task A_guarded_program_is_stopped_and_its_directory_deleted()
    {
        var directory = new TemporaryDirectory();
        await using var child = ChildProcess.StartGuarded(new BrokerCommand("/bin/sleep", ["60"]), directory.Path);
        var id = await child.ProcessId.WaitAsync(Patience);
        using var program = Process.GetProcessById(id!.Value);
        Assert.That(
            () => NameOf(program),
            Is.EqualTo("sleep").After(10_000, 5),
            "the guard tells the id before the program is loaded"
        );
        await child.StopAsync(Patience);
        Assert.That(child.Exited.IsCompleted, Is.True);
        Assert.That(await child.Exited, Is.EqualTo(128 + 15), "ended by SIGTERM");
        Assert.That(program.WaitForExit(Patience), Is.True);
        await directory.DisposeAsync();
        Assert.That(Directory.Exists(directory.Path), Is.False);
    }

    [Test]
    [Category("Whole")]
    public async Task A_program_that_ignores_the_signal_is_killed()
    {
        await using var directory = new TemporaryDirectory();
        var deaf = new BrokerCommand("/bin/sh", ["-c", "trap '' TERM; echo ready; while :; do sleep 1; done"]);
        await using var child = ChildProcess.StartGuarded(deaf, directory.Path);
        Assert.That(await child.FirstLine.WaitAsync(Patience), Is.EqualTo("ready"));
        using var program = Process.GetProcessById((await child.ProcessId.WaitAsync(Patience))!.Value);
        await child.StopAsync(TimeSpan.FromMilliseconds(100));
        Assert.That(program.WaitForExit(Patience), Is.True);
    }

    [Test]
    public async Task When_this_process_is_killed_the_program_ends_and_its_directory_goes()
    {
        // Another process in our place holds the guard's pipe, and is killed.
        await using var directory = new TemporaryDirectory();
        var inner = Directory.CreateDirectory(Path.Combine(directory.Path, "inner")).FullName;
        var pipe = Path.Combine(directory.Path, "pipe");
        using (var make = Process.Start("mkfifo", [pipe]))
            await make.WaitForExitAsync();
        using var holder = Process.Start("/bin/sh", ["-c", "exec sleep 62 > \"$0\"", pipe]);
        var guardStart = new ProcessStartInfo(
            "/bin/sh",
            ["-c", "exec /bin/sh -c \"$0\" \"$1\" /bin/sleep 61 < \"$2\"", ChildProcess.GuardScript, inner, pipe]
        )
        {
            RedirectStandardError = true,
        };
        using var guard = Process.Start(guardStart)!;
        var line = await guard.StandardError.ReadLineAsync();
        using var program = Process.GetProcessById(
            int.Parse(line![ChildProcess.ProcessIdMark.Length..], CultureInfo.InvariantCulture)
        );
        holder.Kill();
        Assert.That(
            (program.WaitForExit(Patience), guard.WaitForExit(Patience), Directory.Exists(inner)),
            Is.EqualTo((true, true, false))
        );
    }

    [Test]
    public async Task Output_and_exit_code_of_a_program_that_fails_are_kept_and_bounded()
    {
        await using var directory = new TemporaryDirectory();
        var failing = new BrokerCommand(
            "/bin/sh",
            ["-c", "for i in $(seq 1000); do echo line $i; done; echo cannot bind >&2; exit 3"]
        );
        await using var child = ChildProcess.StartGuarded(failing, directory.Path);
        Assert.That(await child.Exited.WaitAsync(Patience), Is.EqualTo(3));
        Assert.That(
            child.Output,
            Does.Contain("cannot bind")
                .And.Contain("line 1000")
                .And.Not.Contain("line 900\n")
                .And.Not.Contain("process id")
        );
    }

    [Test]
    public async Task A_program_that_watches_its_input_ends_with_it()
    {
        await using var child = ChildProcess.StartWatching(new BrokerCommand("/bin/cat", []));
        using var program = Process.GetProcessById((await child.ProcessId.WaitAsync(Patience))!.Value);
        await child.StopAsync(Patience);
        Assert.That((await child.Exited, program.WaitForExit(Patience)), Is.EqualTo((0, true)));
    }

    [Test]
    [Platform("Linux")]
    public async Task Ctrl_C_in_the_terminal_does_not_reach_a_program_or_its_guard()
    {
        // A terminal signals the group that is in its foreground, and hangs up its session.
        await using var directory = new TemporaryDirectory();
        await using var guarded = ChildProcess.StartGuarded(new BrokerCommand("/bin/sleep", ["60"]), directory.Path);
        await using var watching = ChildProcess.StartWatching(new BrokerCommand("/bin/cat", []));
        var own = GroupAndSession(Environment.ProcessId);
        foreach (var child in (ChildProcess[])[guarded, watching])
        {
            var id = (await child.ProcessId.WaitAsync(Patience))!.Value;
            Assert.That(
                () => GroupAndSession(id).Group,
                Is.Not.EqualTo(own.Group).After(10_000, 5),
                "the id is known before the program is loaded"
            );
            Assert.That(GroupAndSession(id).Session, Is.Not.EqualTo(own.Session));
        }
    }

    private static (int Group, int Session) GroupAndSession(int id)
    {
        // pid (name) state parent group session; the name may hold blanks.
        var fields = File.ReadAllText($"/proc/{id}/stat").Split(") ")[^1].Split(' ');
        return (int.Parse(fields[2], CultureInfo.InvariantCulture), int.Parse(fields[3], CultureInfo.InvariantCulture));
    }

    private static string NameOf(Process process)
    {
        process.Refresh();
        return process.ProcessName;
    }
}
