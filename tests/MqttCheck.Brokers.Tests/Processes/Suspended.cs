using System.Diagnostics;
using System.Globalization;

namespace MqttCheck.Brokers.Tests.Processes;

/// <summary>A process that stands still, as by SIGSTOP, until this is disposed.</summary>
internal sealed class Suspended : IDisposable
{
    private readonly int _process;

    public Suspended(int process)
    {
        _process = process;
        Signal("-STOP");
    }

    public void Dispose() => Signal("-CONT");

    private void Signal(string name)
    {
        using var kill = Process.Start("/bin/kill", [name, _process.ToString(CultureInfo.InvariantCulture)]);
        kill.WaitForExit();
        Assert.That(kill.ExitCode, Is.Zero);
    }
}
