using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Http.Headers;
using System.Net.Sockets;
using System.Text.RegularExpressions;
using MqttCheck.AcceptanceTests;

namespace MqttCheck.Server.Tests.Hosting;

/// <summary><c>mqttcheck serve</c> as a process: how it ends, and what the tool loads without it.</summary>
[TestFixture]
internal sealed partial class ServeProcessTests
{
    // The promise is 2 s on an idle machine; a benchmark shows that.
    private static readonly TimeSpan s_longestEnd = TimeSpan.FromSeconds(20);

    [Test]
    [Category("Whole")]
    public async Task Ctrl_C_ends_the_server_and_its_broker_while_a_verification_runs()
    {
        using var directory = new WorkDirectory();
        using var tool = ToolProcess.Start(directory.Path, "serve", "--model", RepositoryFiles.Model, "--out", "page");
        await tool.WaitForAsync("Ctrl-C ends it");
        using var client = ClientOf(tool);
        using var request = new HttpRequestMessage(HttpMethod.Post, "/api/verifications")
        {
            Content = TestServer.Json(TestServer.Question()),
        };
        using var answer = await client.SendAsync(request, HttpCompletionOption.ResponseHeadersRead);
        IReadOnlyList<int> brokers = [];
        using (var limit = new CancellationTokenSource(TimeSpan.FromMinutes(1)))
        {
            while ((brokers = Processes.DescendantsOf(tool.Id)).Count == 0)
                await Task.Delay(20, limit.Token);
        }
        var asked = Stopwatch.StartNew();
        var result = await tool.EndAsync("INT");
        await TestContext.Out.WriteLineAsync($"ended after {asked.Elapsed.TotalSeconds:0.0} s");
        Assert.That(asked.Elapsed, Is.LessThan(s_longestEnd));
        Assert.That(result.ExitCode, Is.Zero, result.ToString);
        Processes.WaitUntilGone(brokers);
        Assert.That(
            Directory.GetFileSystemEntries(directory.Path).Select(Path.GetFileName),
            Is.EqualTo(["page"]),
            "what is written is in the output directory"
        );
    }

    [Test]
    [Category("Whole")]
    public async Task On_workers_the_page_answers_the_same()
    {
        using var directory = new WorkDirectory();
        var workers = FormattableString.Invariant($"127.0.0.1:{FreePort()}");
        using var worker = ToolProcess.Start(directory.Path, "worker", "--join", workers, "--slots", "1");
        await worker.WaitForAsync("joined");
        string[] serve = ["serve", "--model", RepositoryFiles.Model, "--out", "page"];
        using var local = ToolProcess.Start(directory.Path, serve);
        using var shared = ToolProcess.Start(directory.Path, [.. serve, "--workers", workers]);
        var answers = new List<IReadOnlyList<string>>();
        foreach (var tool in (ToolProcess[])[local, shared])
        {
            await tool.WaitForAsync("Ctrl-C ends it");
            using var client = ClientOf(tool);
            var events = await TestServer.EventsAsync(client, "/api/predictions", TestServer.Question());
            // Only the refined answers are the same: how far a coarse one is depends on the time.
            answers.Add([
                .. events
                    .Where(one => one.Value.TryGetProperty("isFinal", out var isFinal) && isFinal.GetBoolean())
                    .Select(one => one.Name + one.Value.GetRawText())
                    .Order(),
            ]);
        }
        Assert.That(answers[0], Has.Some.StartsWith("answer"));
        Assert.That(answers[1], Is.EqualTo(answers[0]));
        Assert.That((await shared.EndAsync("INT")).ExitCode, Is.Zero);
    }

    [Test]
    [Category("Whole")]
    public async Task Without_serve_nothing_of_it_is_loaded()
    {
        using var directory = new WorkDirectory();
        using var tool = ToolProcess.Start(
            directory.Path,
            "predict",
            "--model",
            RepositoryFiles.Model,
            "--replications",
            "1000000"
        );
        using var process = Process.GetProcessById(tool.Id);
        while (process.TotalProcessorTime < TimeSpan.FromSeconds(2))
        {
            await Task.Delay(20);
            process.Refresh();
        }
        string[] loaded =
        [
            .. File.ReadAllLines($"/proc/{tool.Id.ToString(CultureInfo.InvariantCulture)}/maps")
                .Where(line => line.EndsWith(".dll", StringComparison.Ordinal))
                .Select(line => Path.GetFileName(line)),
        ];
        Assert.That(loaded, Has.Some.EqualTo("MqttCheck.dll"), "the tool is at work");
        Assert.That(loaded, Has.None.StartsWith("MqttCheck.Server").And.None.StartsWith("Microsoft.AspNetCore"));
    }

    [Test]
    [Category("Whole")]
    public async Task What_is_wrong_is_said_before_anybody_opens_the_page()
    {
        using var directory = new WorkDirectory();
        foreach (
            var (arguments, message) in ((string[], string)[])
                [
                    (["serve"], "no model in models/"),
                    (["serve", "--model", "nothing.json"], "nothing.json"),
                    (["serve", "--model", RepositoryFiles.Model, "--listen", "0.0.0.0"], "one IP address"),
                    (["serve", "--model", RepositoryFiles.Model, "--listen", "10.1.2.3"], "MQTTCHECK_PAGE_TOKEN"),
                ]
        )
        {
            var result = await ToolProcess.RunAsync(directory.Path, arguments);
            Assert.That(result.ExitCode, Is.EqualTo(2), result.ToString);
            Assert.That(result.Error, Does.Contain(message));
        }
    }

    private static HttpClient ClientOf(ToolProcess tool)
    {
        var address = Address().Match(tool.Output);
        var client = new HttpClient { BaseAddress = new Uri(address.Groups[1].Value) };
        client.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", address.Groups[2].Value);
        return client;
    }

    // The first worker takes the port and the next one. Below 32768 nobody gets a port that was not asked for.
    private static int FreePort() =>
        Enumerable.Range(0, 2000).Select(number => 20_000 + 2 * number).First(port => IsFree(port) && IsFree(port + 1));

    private static bool IsFree(int port)
    {
        try
        {
            using var listener = new TcpListener(IPAddress.Loopback, port);
            listener.Start();
            return true;
        }
        catch (SocketException)
        {
            return false;
        }
    }

    [GeneratedRegex(@"what-if page: (http://\S+)/\?token=(\w+)")]
    internal static partial Regex Address();
}
