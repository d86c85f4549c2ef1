using System.Net;
using System.Net.Http.Headers;
using System.Text;
using System.Text.Json;
using MqttCheck.Broker.Delays;
using MqttCheck.Brokers.Processes;
using MqttCheck.Cli.Live;
using MqttCheck.Cli.WhatIf;
using MqttCheck.Profiles;
using MqttCheck.Server.Hosting;
using MqttCheck.Server.Live;
using MqttCheck.Server.Questions;

namespace MqttCheck.Server.Tests;

/// <summary>A server on a free port of this machine, with the repository's model.</summary>
internal sealed class TestServer : IAsyncDisposable
{
    private static BrokerSpecification Embedded => BrokerSpecification.Parse("embedded");

    private TestServer(WhatIfServer server, string root, string output) =>
        (Server, Root, Output) = (server, root, output);

    /// <summary>The broker that the tool comes with, each answer of which takes longer than the models know.</summary>
    public static ILiveBroker SlowBroker(string output) =>
        new LiveBroker(
            "embedded",
            seed =>
                new(
                    Embedded,
                    cancellation =>
                        BrokerStart.RunAsync(
                            Embedded,
                            new() { Hosted = OwnProgram.Brokers(DelayPlan.Parse("constant:30ms", "--delay"), seed) },
                            seed,
                            cancellation
                        ),
                    null
                )
                {
                    Seed = seed,
                },
            ["--delay", "constant:30ms"],
            output,
            TimeProvider.System
        );

    public WhatIfServer Server { get; }

    /// <summary>
    /// An empty directory around the output directory, which goes with the server: a path that climbs out ends here.
    /// </summary>
    public string Root { get; }

    /// <summary>The output directory.</summary>
    public string Output { get; }

    public string Token => Server.Guard.Token;

    public Uri Page => new($"http://{Server.Endpoint}/");

    public static async Task<TestServer> StartAsync(
        int eventStreams = 32,
        Func<string, ILiveBroker>? live = null,
        Func<string, object, CancellationToken, Task>? beforeEvent = null
    )
    {
        var models = new ModelShelf();
        models.Add(RepositoryFiles.Model);
        var root = Directory.CreateTempSubdirectory("mqttcheck-page-").FullName;
        var output = Directory.CreateDirectory(Path.Combine(root, "a", "b", "c")).FullName;
        var server = await WhatIfServer.StartAsync(
            new()
            {
                Models = models,
                Output = output,
                ToolVersion = "0.0.0",
                EventStreams = eventStreams,
                Live = live?.Invoke(output),
                BeforeEvent = beforeEvent,
            },
            CancellationToken.None
        );
        return new(server, root, output);
    }

    /// <summary>A client that knows the token.</summary>
    public HttpClient Client(bool knowsToken = true)
    {
        var client = new HttpClient(new SocketsHttpHandler { AllowAutoRedirect = false, UseCookies = false })
        {
            BaseAddress = Page,
        };
        if (knowsToken)
            client.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", Token);
        return client;
    }

    public static StringContent Json(string text) => new(text, Encoding.UTF8, "application/json");

    /// <summary>A question about the built-in profile up1, or another one.</summary>
    public static string Question(
        int clients = 20,
        double? threshold = 20,
        string session = "test",
        long request = 1,
        string? profile = null,
        int copies = 1,
        bool beyond = false
    )
    {
        var document = profile ?? ProfileDocument.Of(ProfileFile.Read("up1")).Text;
        var scenario = FormattableString.Invariant(
            $$"""{ "model": "embedded-example", "clients": {{clients}}, "profile": {{document}} }"""
        );
        var milliseconds = threshold is { } known ? FormattableString.Invariant($"{known}") : "null";
        return FormattableString.Invariant(
            $$"""
            {
              "session": "{{session}}", "request": {{request}}, "thresholdMilliseconds": {{milliseconds}},
              "beyond": {{(beyond ? "true" : "false")}},
              "scenarios": [{{string.Join(',', Enumerable.Repeat(scenario, copies))}}]
            }
            """
        );
    }

    /// <summary>Every event of a stream, in order.</summary>
    public static async Task<IReadOnlyList<(string Name, JsonElement Value)>> EventsAsync(
        HttpClient client,
        string path,
        string body
    )
    {
        using var response = await client.PostAsync(path, Json(body));
        var text = await response.Content.ReadAsStringAsync();
        Assert.That(response.IsSuccessStatusCode, text);
        return
        [
            .. text.Split("\n\n", StringSplitOptions.RemoveEmptyEntries)
                .Select(block => block.Split('\n'))
                .Select(lines => (lines[0]["event: ".Length..], JsonElement.Parse(lines[1]["data: ".Length..]))),
        ];
    }

    /// <summary>Asserts that an answer is a refusal with a reason.</summary>
    public static async Task AssertRefusedAsync(HttpResponseMessage answer, HttpStatusCode status, string reason)
    {
        var text = await answer.Content.ReadAsStringAsync();
        Assert.That(answer.StatusCode, Is.EqualTo(status), text);
        Assert.That(JsonElement.Parse(text).GetProperty("reason").GetString(), Does.Contain(reason));
    }

    public async ValueTask DisposeAsync()
    {
        await Server.DisposeAsync();
        Directory.Delete(Root, recursive: true);
    }
}
