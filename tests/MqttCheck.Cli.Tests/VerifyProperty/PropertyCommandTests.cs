using System.Diagnostics;
using System.Text.Json;
using System.Text.RegularExpressions;
using MqttCheck.Cli.Terminal;
using MqttCheck.Verification.Deciding;

namespace MqttCheck.Cli.Tests.VerifyProperty;

/// <summary>Properties on the command line: what is refused, what is withheld, and what a verdict says.</summary>
[TestFixture]
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
internal sealed class PropertyCommandTests : DirectoryFixture
{
    [TestCase("estimate", "P[ latency(publish) < 1us ]", "--model", "MODEL")]
    [TestCase("estimate", "P[ !(latency(publish) < 1us) ]", "--model", "MODEL")]
    [TestCase("estimate", "P>=0.99[ latency(subscribe) < 1us ]", "--model", "MODEL")]
    [TestCase("estimate", "P[ latency(publish) < 1us ]", "--log", "LOG")]
    [TestCase("largest-fleet", "P>=0.99[ latency(subscribe) < 1us ]", "--model", "MODEL")]
    [TestCase("verify", "--property", "P>=0.99[ latency(subscribe) < 1us ]")]
    public Task A_property_that_can_never_judge_anything_is_refused_and_G_is_suggested(params string[] arguments) =>
        TestTool.AssertRefusedAsync(
            Filled(arguments),
            "says nothing about any trace",
            "is asked of the first message of a trace alone, which is always a connect; allowed: 'G "
        );

    // One message in ten million is a subscription, so it cannot be refused beforehand.
    [Test]
    public async Task A_property_that_said_nothing_in_all_traces_is_withheld()
    {
        var (code, screen) = await TestTool.RunAsync(
            "estimate",
            "P>=0.99[ G latency(subscribe) < 1us ]",
            "--model",
            RepositoryFiles.Model,
            "--profile",
            Publishers(),
            "--clients",
            "2",
            "--epsilon",
            ".2",
            "--error",
            ".2"
        );
        Assert.That(code, Is.EqualTo(ExitCode.Withheld), screen.Output + screen.Error);
        Assert.That(
            screen.Output,
            Does.Contain("withheld, it says nothing")
                .And.Contain("the property says nothing about any of the traces")
                .And.Match(@"(\d+) traces, 0 replications; \1 about which it says nothing, left out")
                .And.Not.Contain("judged on")
        );
    }

    // Not every sequence of up1 has an unsubscription: three of twelve choices lead to one at most.
    [Test]
    public async Task The_share_of_traces_about_which_it_said_nothing_is_printed()
    {
        var screen = await TestTool.SucceedAsync(
            "estimate",
            "P[ G latency(unsubscribe) < 1h ]",
            "--model",
            RepositoryFiles.Model,
            "--clients",
            "2",
            "--replications",
            "50"
        );
        Assert.That(
            screen.Output,
            Does.Match(@", judged on ([1-9]\d?) of 100 traces \(\1\.0%\)")
                .And.Match(@"100 traces, \d+ replications; [1-9]\d? about which it says nothing, left out")
        );
    }

    // Each tenth client is a dashboard, and no other subscribes.
    [TestCase("P>=0.9[ G latency(subscribe) < 9000ms ]", @": holds, estimate 1 \[.*\], ", "--error", ".2")]
    [TestCase("E[ max latency(subscribe) ]", @" ms\], ", "--replications", "4")]
    [TestCase(
        "P[ G latency(subscribe) < 9000ms ]",
        @"; difference 0 \[.*\], ",
        "--against",
        "MODEL",
        "--replications",
        "4"
    )]
    public async Task An_answer_says_which_groups_it_is_about(string property, string before, params string[] options)
    {
        string[] words =
        [
            "estimate",
            property,
            "--model",
            "MODEL",
            "--profile",
            Plant(),
            "--clients",
            "10",
            "--beyond",
        ];
        var screen = await TestTool.SucceedAsync([.. Filled(words), .. Filled(options)]);
        var line = screen.Output.Split('\n').Single(line => line.StartsWith(property, StringComparison.Ordinal));
        var tail = Regex.Match(
            line,
            @"judged on (\d+) of (\d+) traces \(10\.0%; sensors none of (\d+), dashboards all \1\)$"
        );
        Assert.That(tail.Success, Is.True, screen.Output);
        Assert.That(line, Does.Match(before + Regex.Escape(tail.Value)));

        screen = await TestTool.SucceedAsync([.. Filled(words), .. Filled(options), "--format", "json"]);
        using var json = JsonDocument.Parse(screen.Output);
        var tables = json.RootElement.GetProperty("tables").EnumerateArray().ToList();
        Assert.That(
            tables[0].EnumerateArray().Select(row => (Number(row, "judged"), Number(row, "traces"))),
            Is.EqualTo([(int.Parse(tail.Groups[1].Value), int.Parse(tail.Groups[2].Value))])
        );
        Assert.That(
            tables[1]
                .EnumerateArray()
                .Select(row => (row.GetProperty("group").GetString(), Number(row, "judged"), Number(row, "traces"))),
            Is.EqualTo([
                ("sensors", 0, int.Parse(tail.Groups[3].Value)),
                ("dashboards", int.Parse(tail.Groups[1].Value), int.Parse(tail.Groups[1].Value)),
            ])
        );

        static int Number(JsonElement row, string name) => row.GetProperty(name).GetInt32();
    }

    [TestCase("P>=0.5[ G latency < 12ms ]")]
    [TestCase("E[ mean latency ]")]
    public async Task Two_models_are_asked_the_same_with_common_random_numbers(string property)
    {
        var screen = await TestTool.SucceedAsync(
            "estimate",
            property,
            "--model",
            RepositoryFiles.Model,
            "--against",
            RepositoryFiles.Model,
            "--clients",
            "5",
            "--replications",
            "20"
        );
        Assert.That(screen.Output, Does.Contain("difference 0").And.Contain("No difference is shown."));
    }

    [TestCase("--against: given without --model", "estimate", "E[ count ]", "--log", "LOG", "--against", "MODEL")]
    [TestCase(
        "--against: given with --rule",
        "estimate",
        "E[ count ]",
        "--model",
        "MODEL",
        "--against",
        "MODEL",
        "--rule",
        "chen"
    )]
    [TestCase("cannot be compared pair by pair", "estimate", "D[ count ]", "--model", "MODEL", "--against", "MODEL")]
    [TestCase("there is nothing to verify", "verify")]
    [TestCase("a prediction and --property are given", "verify", "p.json", "--property", "P>=0.9[ G latency < 1s ]")]
    [TestCase("--clients: given without --property", "verify", "p.json", "--clients", "5")]
    [TestCase(
        "--all-thresholds: given with --property",
        "verify",
        "--property",
        "P>=0.9[ G latency < 1s ]",
        "--all-thresholds"
    )]
    [TestCase(
        "asks for a value; allowed live: a number to compare it with",
        "verify",
        "--property",
        "P[ G latency < 1s ]"
    )]
    [TestCase("cannot be tested live with a stated error", "verify", "--property", "E[ max latency ] < 1s")]
    [TestCase(
        "'1' is not allowed here; allowed: a probability above 0 and below 1",
        "verify",
        "--property",
        "P>=1[ G latency < 1s ]"
    )]
    [TestCase(
        "--budget: 5s given cannot suffice",
        "verify",
        "--property",
        "P>=0.9[ G latency < 1s ]",
        "--guarantee",
        "any",
        "--budget",
        "5s",
        "--out",
        "OUT"
    )]
    public Task Wrong_input_is_refused_with_its_reason(string reason, params string[] arguments) =>
        TestTool.AssertRefusedAsync(Filled(arguments), reason);

    // In a process of its own, because logs are written to the current directory. A machine that is busy otherwise
    // measures nothing.
    [TestCase("P>=0.9[ G latency < 9000ms ]", ExitCode.Success, "holds", "0.8 or less is rejected")]
    [TestCase("Q0.9[ max latency ] < 0.01ms", ExitCode.Refuted, "violated", "0.9 or more is rejected")]
    [TestCase(
        "P>=0.9[ G latency(subscribe) < 9000ms ]",
        ExitCode.Withheld,
        "withheld",
        "says nothing about any of the"
    )]
    [Category("Whole"), Category("AloneOnTheMachine"), Parallelizable(ParallelScope.All)]
    public async Task A_verdict_on_the_live_broker_says_what_it_promises_and_how_to_repeat_it(
        string property,
        int expected,
        string word,
        string reason
    )
    {
        var texts = await VerifyAsync(property, Publishers(), expected);
        Assert.That(
            texts[0],
            Does.StartWith($"{word}: {property}")
                .And.Contain(reason)
                .And.Contain("if runs are independent of each other and vary around one level")
                .And.Contain("the property is said to hold although the truth is 0.8 or less")
                .And.Match(@"repeat:  mqttcheck verify --property '.*--seed 3")
        );
        Assert.That(texts[1], Does.Match(@"about [\d.]+ s a run; a verdict takes \d+ runs at least \(\d+ s\)"));
        var verdict = JsonDocument.Parse(await File.ReadAllTextAsync(In("verdict.json"))).RootElement;
        Assert.That(verdict.GetProperty("verdict").GetString(), Is.EqualTo(word));
        Assert.That(verdict.GetProperty("runs").GetArrayLength(), Is.GreaterThanOrEqualTo(3));
        Assert.That(Directory.GetFiles(In("logs"), "*.verify.csv"), Has.Length.EqualTo(1));
    }

    [Test]
    [Category("Whole"), Category("AloneOnTheMachine"), Parallelizable]
    public async Task A_verdict_on_the_live_broker_says_which_groups_it_is_about()
    {
        const string Property = "P>=0.9[ G latency(subscribe) < 9000ms ]";
        var texts = await VerifyAsync(Property, Plant(), ExitCode.Success);
        Assert.That(
            texts[0],
            Does.Match(
                @"^holds, judged on (\d+) of \d+ traces \(10\.0%; sensors none of \d+, dashboards all \1\): "
                    + Regex.Escape(Property)
            )
        );
        var verdict = JsonDocument.Parse(await File.ReadAllTextAsync(In("verdict.json"))).RootElement;
        var groups = verdict.GetProperty("groups").EnumerateArray().ToList();
        Assert.That(
            groups.Select(group =>
                (group.GetProperty("group").GetString(), group.GetProperty("judged").GetInt64() > 0)
            ),
            Is.EqualTo([("sensors", false), ("dashboards", true)])
        );
        Assert.That(
            groups.Sum(group => group.GetProperty("traces").GetInt64()),
            Is.EqualTo(verdict.GetProperty("traces").GetInt64())
        );
        var log = Directory.GetFiles(In("logs"), "*.verify.csv").Single();
        var screen = await TestTool.SucceedAsync("estimate", Property, "--log", log, "--error", ".2");
        Assert.That(screen.Output, Does.Contain("(10.0%; sensors none of"));
    }

    private async Task<string[]> VerifyAsync(string property, string profile, int expected)
    {
        var start = new ProcessStartInfo(
            Path.Combine(AppContext.BaseDirectory, "MqttCheck.Cli"),
            [
                "verify",
                "--property",
                property,
                "--profile",
                profile,
                "--clients",
                "10",
                "--delay",
                "constant:1ms",
                "--error",
                ".05",
                "--seed",
                "3",
                "--out",
                "verdict.json",
            ]
        )
        {
            WorkingDirectory = Folder,
            RedirectStandardError = true,
            RedirectStandardOutput = true,
        };
        using var process = Process.Start(start)!;
        var texts = await Task.WhenAll(process.StandardOutput.ReadToEndAsync(), process.StandardError.ReadToEndAsync());
        await process.WaitForExitAsync();
        var output = string.Concat(texts);
        Assume.That(
            output,
            Does.Not.Match(@"runs (are invalid|never became stationary)"),
            "a machine that is busy otherwise measures nothing"
        );
        Assert.That(process.ExitCode, Is.EqualTo(expected), output);
        return texts;
    }

    private string Plant()
    {
        var file = In("plant.json");
        File.WriteAllText(
            file,
            """
            { "name": "plant", "groups": [
              { "name": "sensors", "share": 9, "profile": { "waitMilliseconds": { "uniform": [40, 80] }, "weights": { "connect": 1, "publish": 1 },
                "topics": 10, "payloadBytes": [12, 80], "qos": 1, "sequenceLength": 5 } },
              { "name": "dashboards", "share": 1, "profile": { "waitMilliseconds": { "uniform": [40, 80] }, "weights": { "connect": 1, "subscribe": 1 },
                "topics": 10, "payloadBytes": [12, 80], "qos": 1, "sequenceLength": 5 } } ] }
            """
        );
        return file;
    }

    private string Publishers()
    {
        var file = In("publishers.json");
        File.WriteAllText(
            file,
            """
            { "name": "publishers", "waitMilliseconds": { "uniform": [40, 80] }, "weights": { "connect": 1, "disconnect": 1, "publish": 5, "subscribe": 1e-7, "unsubscribe": 0 },
              "topics": 10, "payloadBytes": [12, 80], "qos": 1, "sequenceLength": 5 }
            """
        );
        return file;
    }

    private string[] Filled(string[] arguments) => TestTool.Filled(arguments, Folder);
}
