using MqttCheck.Brokers.Embedded;
using MqttCheck.Latency.Files;
using MqttCheck.Predictions;
using MqttCheck.Profiles;
using MqttCheck.Server.Answers;
using MqttCheck.Server.Questions;
using MqttCheck.Testing;

namespace MqttCheck.Cli.Tests.Predict;

/// <summary>Commands, requirements and the page agree on what a model has never seen.</summary>
[TestFixture]
[NonParallelizable]
internal sealed class TrainingAgreementTests
{
    private const string Profile = """
        {
          "name": "far",
          "waitMilliseconds": { "constant": 100 },
          "weights": { "publish": 5, "subscribe": 1, "unsubscribe": 1, "disconnect": 1 },
          "payloadBytes": 1000000,
          "qos": 2
        }
        """;

    private const string Property = "P>=0.5[ G<=10msg latency < 20ms ]";

    // As the shared code says it, of the file that each test writes.
    private static readonly string[] s_said =
    [
        "QoS of publications: 2 given; the model has seen 1 only",
        "QoS of subscriptions: 2 given; the model has seen 1 only",
        "payload size of far: 1000000 bytes at most; the model has seen 12 to 80",
        "mqttcheck explore --profile ",
    ];

    private DirectoryInfo _directory = null!;
    private string _profile = "";

    [OneTimeSetUp]
    public void Write()
    {
        _directory = Directory.CreateTempSubdirectory("mqttcheck-far-");
        _profile = Path.Combine(_directory.FullName, "far.json");
        File.WriteAllText(_profile, Profile);
    }

    [OneTimeTearDown]
    public void Delete() => _directory.Delete(recursive: true);

    [Test]
    [Category("Whole")]
    public async Task A_million_bytes_at_another_quality_of_service_get_one_answer_everywhere()
    {
        var asked = (string[])["--model", RepositoryFiles.Model, "--profile", _profile];
        await TestTool.AssertRefusedAsync(["predict", .. asked, "--clients", "2"], [.. s_said, "--beyond"]);
        await TestTool.AssertRefusedAsync(["estimate", Property, .. asked, "--clients", "2"], [.. s_said, "--beyond"]);
        await TestTool.AssertRefusedAsync(["largest-fleet", Property, .. asked, "--to", "3"], [.. s_said, "--beyond"]);

        var file = Path.Combine(_directory.FullName, "far-prediction.json");
        string[] few = ["--clients", "2", "--replications", "20", "--beyond"];
        AssertSaid((await TestTool.SucceedAsync(["predict", .. asked, .. few, "--out", file])).Output);
        AssertSaid((await TestTool.RunAsync(["estimate", Property, .. asked, .. few])).Screen.Output);
        AssertSaid(
            (
                await TestTool.RunAsync([
                    "largest-fleet",
                    Property,
                    .. asked,
                    "--to",
                    "3",
                    "--replications",
                    "20",
                    "--beyond",
                ])
            )
                .Screen
                .Output
        );
        AssertSaid((await TestTool.SucceedAsync("diff", file, file)).Output);
        var verified = await TestTool.RunAsync([
            "verify",
            file,
            "--broker",
            "embedded",
            "--budget",
            "12s",
            "--runs",
            "3",
            "--out",
            Path.Combine(_directory.FullName, "verdict.json"),
        ]);
        AssertSaid(verified.Screen.Output + verified.Screen.Error);
        await AssertRequirementSaysItAsync(PredictionFile.Read(file));
        AssertPageSaysIt();
    }

    [Test]
    public async Task More_than_twice_the_load_is_refused_by_every_command_and_by_the_page()
    {
        var asked = (string[])["--model", RepositoryFiles.Model, "--profile", "up1"];
        string[] said = ["1000 clients of up1 offer up to 5200 messages/s", "2401 messages/s", "explore", "--beyond"];
        await TestTool.AssertRefusedAsync(["predict", .. asked, "--clients", "1000"], said);
        await TestTool.AssertRefusedAsync(["estimate", Property, .. asked, "--clients", "1000"], said);
        await TestTool.AssertRefusedAsync(
            ["largest-fleet", Property, .. asked, "--from", "1000", "--to", "2000"],
            said
        );

        var model = new ServedModel(
            "near",
            RepositoryFiles.Model,
            "",
            LatencyModelFile.Read(RepositoryFiles.Model),
            []
        );
        var question = new Question
        {
            Session = "page",
            Request = 1,
            Scenarios = [new(model, ProfileDocument.Of(ProfileFile.Read("up1")), 1000)],
            Threshold = null,
            Seed = 1,
            Beyond = false,
            WantedProbability = .95,
        };
        var refused = Assert.Throws<InputException>(() => At(1000, false).Simulate(1, CancellationToken.None));
        foreach (var part in said)
            Assert.That(refused!.Message, Does.Contain(part));
        Assert.That(refused!.IsAnsweredBeyond);
        // The curve of a smaller fleet ends at the last one that is answered.
        Assert.That(At(300, false).MostClients, Is.EqualTo(923));
        Assert.That(At(300, true).MostClients, Is.EqualTo(QuestionReader.MostClients));

        ScenarioForecast At(int clients, bool beyond) =>
            new(question.Scenarios[0] with { Clients = clients }, question with { Beyond = beyond }, null);
    }

    private static void AssertSaid(string text)
    {
        var line = text.ReplaceLineEndings(" ");
        foreach (var part in s_said)
            Assert.That(line, Does.Contain(part));
    }

    private static async Task AssertRequirementSaysItAsync(Prediction prediction)
    {
        await using var broker = EmbeddedBroker.Start(new());
        var measurement = new FleetMeasurement(broker, prediction.Populations[0], 3, new(), CancellationToken.None);
        using var shown = new StringWriter();
        var before = Console.Error;
        Console.SetError(shown);
        try
        {
            // Three clients were not predicted, so the requirement makes no run.
            Assert.That(
                () => Requirement.Prediction(prediction).Decide(measurement),
                Throws.InstanceOf<InputException>()
            );
        }
        finally
        {
            Console.SetError(before);
        }
        AssertSaid(shown.ToString());
    }

    private void AssertPageSaysIt()
    {
        var model = new ServedModel("far", RepositoryFiles.Model, "", LatencyModelFile.Read(RepositoryFiles.Model), []);
        var scenario = new WhatIfScenario(model, ProfileDocument.Of(ProfileFile.Read(_profile)), 2);
        var question = new Question
        {
            Session = "page",
            Request = 1,
            Scenarios = [scenario],
            Threshold = null,
            Seed = 1,
            Beyond = false,
            WantedProbability = .95,
        };
        var refused = Assert.Throws<InputException>(() => Simulate(question));
        AssertSaid(refused!.Message);
        Assert.That(refused.IsAnsweredBeyond);
        var beyond = Simulate(question with { Beyond = true });
        var light = TrustLight.Of(scenario, beyond);
        Assert.That(light.Level, Is.EqualTo(TrustLevel.Outside));
        Assert.That(
            light.Sentence,
            Is.EqualTo(
                "Beyond training: the model has never seen such a QoS of publications, QoS of subscriptions, "
                    + "payload size."
            )
        );
        AssertSaid(string.Join(' ', light.Notes));

        Forecast Simulate(Question asked) =>
            new ScenarioForecast(scenario, asked, null).Simulate(1, CancellationToken.None);
    }
}
