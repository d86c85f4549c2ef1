using System.Diagnostics;
using System.Net;
using System.Net.Sockets;

namespace MqttCheck.Telemetry.Tests;

/// <summary>What a collector gets, and what becomes of a command whose collector is not there.</summary>
[TestFixture, FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
[Parallelizable(ParallelScope.None)]
internal sealed class TelemetryTests : DirectoryFixture
{
    private static readonly string[] s_bench =
    [
        "bench",
        "--delay",
        "none",
        "--pairs",
        "2",
        "--for",
        "300ms",
        "--warm-up",
        "50ms",
    ];

    [Test, Category("AloneOnTheMachine")]
    public async Task A_verified_property_arrives_with_its_interval_its_runs_and_its_latencies()
    {
        await using var collector = new OtlpCollector();
        await File.WriteAllTextAsync(In("quick.json"), SendingTool.Profile);
        var (code, output, error) = await SendingTool.RunAsync(
            Folder,
            [("OTEL_SERVICE_NAME", "gate"), ("OTEL_RESOURCE_ATTRIBUTES", "deployment.environment.name=ci,team=iot")],
            "verify",
            "--property",
            "P>=0.5[ G latency < 9000ms ]",
            "--profile",
            "quick.json",
            "--clients",
            "10",
            "--delay",
            "constant:1ms",
            "--error",
            ".2",
            "--otlp",
            collector.Address
        );
        Assume.That(output, Does.Not.Contain("runs are invalid"), "a machine that is busy otherwise measures nothing");
        Assert.That(code, Is.Zero, output + error);
        var metrics = collector.Metrics;
        var measured = metrics["mqttcheck.property_measured"];
        Assert.That(measured.Unit, Is.EqualTo("1"));
        var (low, high) = (
            metrics["mqttcheck.property_lower"].Points.Single().Value,
            metrics["mqttcheck.property_upper"].Points.Single().Value
        );
        Assert.That(measured.Points.Single().Value, Is.InRange(low, high));
        Assert.That(low, Is.LessThan(high));
        Assert.That(
            metrics["mqttcheck.property_verdict"].Points.Single(point => point.Value == 1).Attributes["verdict"],
            Is.EqualTo("holds")
        );

        var publications = metrics["messaging.client.operation.duration"]
            .Points.Single(point => point.Attributes["messaging.operation.name"] == "publish");
        Assert.That(publications.Count, Is.Positive);
        Assert.That(
            publications.Sum / publications.Count,
            Is.GreaterThan(.001),
            "the broker holds answers back so long"
        );
        Assert.That(publications.Attributes["messaging.system"], Is.EqualTo("mqtt"));
        Assert.That(publications.Attributes["server.address"], Is.EqualTo("127.0.0.1"));
        Assert.That(publications.Attributes["mqttcheck.clients"], Is.EqualTo("10"));
        Assert.That(metrics["mqttcheck.delivery.duration"].Points.Single().Count, Is.Positive);
        Assert.That(
            metrics["messaging.client.sent.messages"].Points.Single().Value,
            Is.GreaterThanOrEqualTo(publications.Count)
        );

        var root = collector.Spans.Single(span => span.Name == "mqttcheck verify");
        Assert.That(root.Resource["service.name"], Is.EqualTo("gate"));
        Assert.That(root.Resource["team"], Is.EqualTo("iot"));
        var runs = collector.Spans.Where(span => span.Name == "run").ToList();
        Assert.That(runs, Has.Count.EqualTo(metrics["mqttcheck.property_runs"].Points.Single().Value).Within(2));
        Assert.That(runs.Select(run => run.Parent), Has.All.EqualTo(root.Id));
        Assert.That(runs.Select(run => run.Attributes["mqttcheck.profile"]), Has.All.EqualTo("quick"));
        Assert.That(
            root.Duration,
            Is.GreaterThanOrEqualTo(runs.Aggregate(TimeSpan.Zero, (sum, run) => sum + run.Duration))
        );
    }

    [Test]
    public async Task Variables_name_the_collector_and_its_headers_as_well_as_the_option_does()
    {
        await using var collector = new OtlpCollector();
        var (_, output, error) = await SendingTool.RunAsync(
            Folder,
            [("OTEL_EXPORTER_OTLP_ENDPOINT", collector.Address), ("OTEL_EXPORTER_OTLP_HEADERS", "x-team=iot")],
            s_bench
        );
        Assert.That(
            collector.Metrics.Keys,
            Does.Contain("mqttcheck.bench_in_messages").And.Contain("messaging.client.operation.duration"),
            output + error
        );
        Assert.That(collector.Headers, Has.Some.EqualTo("x-team: iot"));
        Assert.That(error, Does.Not.Contain("did not reach"));
    }

    [Test]
    public async Task A_fault_of_a_cluster_is_a_span_below_its_run()
    {
        await using var collector = new OtlpCollector();
        var (_, output, error) = await SendingTool.RunAsync(
            Folder,
            "cluster",
            "run",
            "--broker",
            "embedded",
            "--for",
            "1s",
            "--runs",
            "1",
            "--fault",
            "freeze embedded at 300ms for 200ms",
            "--otlp",
            collector.Address
        );
        var spans = collector.Spans;
        Assert.That(spans.Select(span => span.Name), Does.Contain("fault"), output + error);
        var fault = spans.Single(span => span.Name == "fault");
        var run = spans.Single(span => span.Id == fault.Parent);
        Assert.That(run.Name, Is.EqualTo("run"));
        Assert.That(fault.Attributes["mqttcheck.fault"], Does.StartWith("freeze embedded at"));
        Assert.That(fault.Attributes["mqttcheck.nodes"], Is.EqualTo("embedded"));
        Assert.That(fault.Duration.TotalMilliseconds, Is.EqualTo(200).Within(.001));
        Assert.That(collector.Metrics["mqttcheck.cluster_runs"].Points.Single().Value, Is.EqualTo(1));
        Assert.That(collector.Metrics["messaging.client.operation.duration"].Points.Single().Count, Is.Positive);
    }

    // A port on which nobody listens refuses at once; one that takes connections and never answers costs patience.
    [Test]
    public async Task A_collector_that_is_gone_or_silent_changes_neither_the_result_nor_the_exit_code(
        [Values] bool isSilent
    )
    {
        using var silent = new TcpListener(IPAddress.Loopback, 0);
        silent.Start();
        var port = isSilent ? ((IPEndPoint)silent.LocalEndpoint).Port : OtlpCollector.FreePort();
        string[] predict =
        [
            "predict",
            "--model",
            RepositoryFiles.Model,
            "--clients",
            "5",
            "--replications",
            "20",
            "--threshold",
            "20ms",
        ];
        var began = Stopwatch.GetTimestamp();
        var plain = await SendingTool.RunAsync(Folder, [.. predict, "--out", "first.json"]);
        var took = Stopwatch.GetElapsedTime(began);
        began = Stopwatch.GetTimestamp();
        var sending = await SendingTool.RunAsync(
            Folder,
            [.. predict, "--out", "second.json", "--otlp", $"http://127.0.0.1:{port}"]
        );
        Assert.That(sending.Code, Is.EqualTo(plain.Code).And.Zero, sending.Error);
        Assert.That(
            sending.Output.Replace("second", "first", StringComparison.Ordinal).Split("repeat")[0],
            Is.EqualTo(plain.Output.Split("repeat")[0])
        );
        Assert.That(sending.Error, Does.Contain($"did not reach http://127.0.0.1:{port}/"));
        // Patience ends after four seconds; the rest is what starting a process takes on a busy machine.
        Assert.That(Stopwatch.GetElapsedTime(began) - took, Is.LessThan(TimeSpan.FromSeconds(10)));
    }

    [TestCase("collector:4318", "--otlp: 'collector:4318' given")]
    [TestCase("ftp://127.0.0.1", "--otlp: 'ftp://127.0.0.1' given")]
    [TestCase("", "--otlp: '' given")]
    [TestCase("http://user:hunter2@127.0.0.1:4318", "--otlp: ")]
    [TestCase("http://a\u001b[31m", @"--otlp: 'http://a\e[31m' given")]
    public async Task A_malformed_address_is_refused_with_one_message(string endpoint, string said)
    {
        var (code, output, error) = await SendingTool.RunAsync(Folder, [.. s_bench, "--otlp", endpoint]);
        Assert.That(code, Is.EqualTo(2), output + error);
        Assert.That(error, Does.Contain(said).And.Contain("http://127.0.0.1:4318").And.Not.Contain("hunter2"));
        Assert.That(Directory.EnumerateFileSystemEntries(Folder), Is.Empty);
    }

    [TestCase("OTEL_EXPORTER_OTLP_ENDPOINT", "127.0.0.1:4318", "http://HOST:PORT")]
    [TestCase("OTEL_EXPORTER_OTLP_METRICS_ENDPOINT", "x", "http://HOST:PORT")]
    [TestCase("OTEL_EXPORTER_OTLP_PROTOCOL", "http/json", "grpc, http/protobuf")]
    public async Task A_malformed_variable_is_refused_by_its_name(string variable, string value, string allowed)
    {
        var (code, _, error) = await SendingTool.RunAsync(
            Folder,
            [("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:4318"), (variable, value)],
            s_bench
        );
        Assert.That(code, Is.EqualTo(2), error);
        Assert.That(error, Does.Contain($"environment variable {variable}: '{value}' given").And.Contain(allowed));
    }

    // The system lists the files that a process has mapped; .NET maps assemblies.
    [Test, Platform("Linux")]
    public async Task Nothing_of_OpenTelemetry_is_loaded_without_being_asked_for([Values] bool isAsked)
    {
        string[] asked = isAsked ? ["--otlp", $"http://127.0.0.1:{OtlpCollector.FreePort()}"] : [];
        using var broker = SendingTool.Start(Folder, [], ["broker", "--port", "0", .. asked]);
        try
        {
            Assert.That(await broker.StandardOutput.ReadLineAsync(), Is.Not.Null, "it serves");
            var loaded = File.ReadAllLines($"/proc/{broker.Id}/maps")
                .Where(line => line.EndsWith(".dll", StringComparison.Ordinal))
                .Select(line => Path.GetFileName(line))
                .Distinct()
                .ToArray();
            Assert.That(loaded, Does.Contain("MqttCheck.Brokers.dll"));
            Assert.That(
                loaded.Where(name => name.Contains("Telemetry", StringComparison.Ordinal)),
                isAsked ? Does.Contain("OpenTelemetry.dll").And.Contain("MqttCheck.Telemetry.dll") : Is.Empty
            );
        }
        finally
        {
            broker.Kill();
            await broker.WaitForExitAsync();
        }
    }
}
