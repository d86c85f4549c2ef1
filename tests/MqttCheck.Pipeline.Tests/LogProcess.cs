using System.Diagnostics;
using System.Globalization;
using MqttCheck.LiveClusters.Nodes.Pipeline.Logs;
using MqttCheck.Pipeline.Commands;

namespace MqttCheck.Pipeline.Tests;

/// <summary>A <see cref="LogNode"/> in a process of its own, which can be killed and started again.</summary>
internal sealed class LogProcess : IDisposable
{
    private readonly string _directory = Directory.CreateTempSubdirectory("mqttcheck-log-").FullName;
    private Process _process;

    /// <summary>Starts it with an empty file, and waits until it listens.</summary>
    public LogProcess() => (_process, Port) = Launch(port: 0);

    /// <summary>The port of loopback, the same after a restart.</summary>
    public int Port { get; }

    /// <summary>Ends the process at once, without a chance to write anything.</summary>
    public void Kill()
    {
        _process.Kill();
        _process.WaitForExit();
    }

    /// <summary>Starts it again with its file.</summary>
    public void Restart()
    {
        _process.Dispose();
        (_process, _) = Launch(Port);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        Kill();
        _process.Dispose();
        Directory.Delete(_directory, recursive: true);
    }

    private (Process Process, int Port) Launch(int port)
    {
        var program = typeof(LogNodeCommand).Assembly.Location;
        var start = new ProcessStartInfo("dotnet") { RedirectStandardOutput = true, RedirectStandardInput = true };
        start.ArgumentList.Add("exec");
        start.ArgumentList.Add(program);
        start.ArgumentList.Add("log-node");
        start.ArgumentList.Add(Path.Combine(_directory, "log"));
        start.ArgumentList.Add(port.ToString(CultureInfo.InvariantCulture));
        var process = Process.Start(start)!;
        var line =
            process.StandardOutput.ReadLine()
            ?? throw new InvalidOperationException($"'dotnet exec {program} log-node' ended before it listened.");
        return (process, int.Parse(line, CultureInfo.InvariantCulture));
    }
}
