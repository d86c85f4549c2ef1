using System.Text.Json;
using MqttCheck.ClusterProtocols.Predicting;
using MqttCheck.Server.Answers;
using MqttCheck.Server.Answers.Changes;
using MqttCheck.Server.Hosting;
using MqttCheck.Server.Live;
using MqttCheck.Server.Questions;

namespace MqttCheck.Server.Tests.Hosting;

/// <summary>The description of the API says what the server answers, and what it writes and reads.</summary>
[TestFixture]
internal sealed class OpenApiTests
{
    private static readonly JsonElement s_description = JsonElement.Parse(OpenApi.Text);

    private static readonly Type[] s_written =
    [
        typeof(Setup),
        typeof(Answer),
        typeof(ScenarioAnswer),
        typeof(ThresholdPlace),
        typeof(CurveAnswer),
        typeof(Sensitivities),
        typeof(Sensitivity),
        typeof(LargestFleet),
        typeof(CopiedCommand),
        typeof(VerificationPlanned),
        typeof(LiveProgress),
        typeof(VerdictShown),
        typeof(VerificationDone),
        typeof(Mistake),
        typeof(ClusterAnswers),
        typeof(ClusterRow),
        typeof(ClusterPairs),
        typeof(PairPrediction),
        typeof(TopologyPicture),
        typeof(PictureNode),
        typeof(PictureLink),
    ];

    [Test]
    public void It_has_the_paths_and_methods_of_the_server()
    {
        using var simulations = new Simulations(Options());
        var routes = new Endpoints(Options(), simulations, CancellationToken.None).Routes;
        Assert.That(
            s_description
                .GetProperty("paths")
                .EnumerateObject()
                .SelectMany(path =>
                    path.Value.EnumerateObject().Select(method => $"{method.Name.ToUpperInvariant()} {path.Name}")
                ),
            Is.EquivalentTo(routes.Select(route => $"{route.Method} {route.Path}"))
        );
    }

    [TestCaseSource(nameof(s_written))]
    public void It_has_every_key_that_is_written(Type type) =>
        Assert.That(
            Keys(type.Name),
            Is.EquivalentTo(
                type.GetProperties()
                    .Where(property => property.GetMethod is { IsStatic: false })
                    .Select(property => JsonNamingPolicy.CamelCase.ConvertName(property.Name))
            )
        );

    // The reader names the keys that it knows when it finds another one.
    [TestCase("Question", "")]
    [TestCase("ClusterQuestion", "")]
    [TestCase("TopologyQuestion", "")]
    [TestCase("Stop", "")]
    [TestCase("Scenario", "scenarios[0].")]
    public void It_has_every_key_that_is_read(string schema, string path)
    {
        const string body = """{ "unknown": 1, "scenarios": [{ "unknown": 1 }] }""";
        var bytes = System.Text.Encoding.UTF8.GetBytes(body);
        var refusal = Assert.Throws<InputException>(() =>
        {
            _ = schema switch
            {
                "ClusterQuestion" => (object)QuestionReader.ReadCluster(bytes),
                "TopologyQuestion" => QuestionReader.ReadTopology(bytes),
                "Stop" => QuestionReader.ReadStop(bytes),
                _ => new QuestionReader(new()).Read(bytes),
            };
        })!;
        const string known = "unknown key; allowed: ";
        var line = refusal
            .Message.Split('\n')
            .Single(one => one.Contains($" {path}unknown: {known}", StringComparison.Ordinal));
        Assert.That(
            Keys(schema),
            Is.EquivalentTo(line[(line.IndexOf(known, StringComparison.Ordinal) + known.Length)..].Split(", "))
        );
    }

    private static IEnumerable<string> Keys(string schema) =>
        s_description
            .GetProperty("components")
            .GetProperty("schemas")
            .GetProperty(schema)
            .GetProperty("properties")
            .EnumerateObject()
            .Select(property => property.Name);

    private static WhatIfOptions Options() =>
        new()
        {
            Models = new(),
            Output = ".",
            ToolVersion = "0.0.0",
        };
}
