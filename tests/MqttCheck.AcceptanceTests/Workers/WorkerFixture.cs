using System.Diagnostics;
using MqttCheck.Workers.Tests;

namespace MqttCheck.AcceptanceTests.Workers;

/// <summary>Workers as processes of their own that find each other in a Redis of the test's own.</summary>
public abstract class WorkerFixture
{
    /// <summary>The key that workers share.</summary>
    private protected static readonly Dictionary<string, string> Key = new()
    {
        ["MQTTCHECK_WORKER_KEY"] = "a key of more than sixteen characters",
    };

    private readonly List<ToolProcess> _workers = [];

    private protected IReadOnlyList<ToolProcess> Workers => _workers;

    private protected RedisServer Redis { get; private set; } = null!;

    private protected WorkDirectory Folder { get; private set; } = null!;

    [SetUp]
    public async Task Start()
    {
        Folder = new();
        Redis = await RedisServer.StartAsync();
    }

    [TearDown]
    public void End()
    {
        foreach (var worker in _workers)
            worker.Dispose();
        _workers.Clear();
        Redis?.Dispose();
        Folder.Dispose();
    }

    private protected void Add(ToolProcess worker) => _workers.Add(worker);

    // A certificate with its key.
    private protected async Task<string> MakeCertificateAsync()
    {
        var file = Folder.File("worker.pem");
        const string words = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 365 -subj /CN=worker";
        using var openssl = Process.Start("openssl", [.. words.Split(' '), "-keyout", file, "-out", file]);
        await openssl.WaitForExitAsync();
        return file;
    }

    // All are started before the first is waited for.
    private protected async Task StartWorkersAsync(int count)
    {
        var started = Enumerable
            .Range(0, count)
            .Select(_ => ToolProcess.Start(Folder.Path, "worker", "--join", Redis.Address, "--slots", "1"))
            .ToList();
        _workers.AddRange(started);
        foreach (var worker in started)
            await worker.WaitForAsync("1 slot, joined redis://");
    }
}
