using System.Diagnostics;
using System.Globalization;
using MqttCheck.Shards;
using MqttCheck.Workers.Hosting;
using MqttCheck.Workers.Joining;
using MqttCheck.Workers.Tests.Computing;

namespace MqttCheck.Workers.Tests.Coordinating;

/// <summary>A worker with one slot in a process of its own.</summary>
internal sealed class ChildWorker : IDisposable
{
    public static readonly JobCatalogue Catalogue = new JobCatalogue().Add(CountingJob.Kind, CountingJob.Parse);

    private readonly Process _process;

    private ChildWorker(Process process) => _process = process;

    /// <summary>Starts one, and returns when it serves.</summary>
    public static async Task<ChildWorker> StartAsync(string address)
    {
        var start = new ProcessStartInfo("dotnet") { RedirectStandardOutput = true };
        foreach (var word in (string[])["exec", typeof(ChildWorker).Assembly.Location, address])
            start.ArgumentList.Add(word);
        var worker = new ChildWorker(Process.Start(start)!);
        Assert.That(await worker._process.StandardOutput.ReadLineAsync(), Is.EqualTo("ready"));
        return worker;
    }

    /// <summary>Serves until it is killed; the other end of <see cref="StartAsync"/>.</summary>
    public static async Task ServeAsync(string address)
    {
        var options = new WorkerOptions
        {
            Join = WorkerAddress.Parse(address, "--join"),
            Slots = 1,
            Security = WorkerSecurity.Of(null, null),
        };
        await using var worker = await WorkerHost.StartAsync(options, Catalogue, default);
        await Console.Out.WriteLineAsync("ready");
        var ended = new TaskCompletionSource();
        await using var registration = worker.Ended.Register(ended.SetResult);
        await ended.Task;
    }

    /// <summary>Sends a signal: KILL, STOP or CONT.</summary>
    public void Signal(string name)
    {
        using var kill = Process.Start("/bin/kill", [$"-{name}", _process.Id.ToString(CultureInfo.InvariantCulture)]);
        kill.WaitForExit();
    }

    /// <summary>Waits until the process has ended.</summary>
    public Task EndAsync() => _process.WaitForExitAsync();

    public void Dispose()
    {
        if (!_process.HasExited)
            _process.Kill();
        _process.Dispose();
    }
}
