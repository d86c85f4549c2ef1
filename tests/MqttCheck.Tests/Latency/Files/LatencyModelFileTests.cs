using System.Text;
using MqttCheck.Latency;
using MqttCheck.Latency.Files;
using MqttCheck.Latency.Models;
using MqttCheck.Learning;
using MqttCheck.Learning.Learners;
using MqttCheck.Profiles;
using MqttCheck.Simulation;
using MqttCheck.Statistics;
using MqttCheck.Tests.Learning;

namespace MqttCheck.Tests.Latency.Files;

public sealed class LatencyModelFileTests : DirectoryFixture
{
    private static readonly LearnedModel Binned = Learn(BinnedQuantilesModel.KindName);
    private static readonly LearnedModel Paper = Learn(PaperRegressionModel.KindName);

    [Test]
    public void Reading_and_writing_again_gives_the_same_bytes()
    {
        foreach (var model in new[] { Binned, Paper })
        {
            var text = LatencyModelFile.ToBytes(model);
            Assert.That(LatencyModelFile.ToBytes(LatencyModelFile.Parse(text, "model.json")), Is.EqualTo(text));
        }
    }

    [Test]
    public void Queue_keeps_how_long_connections_are_set_up_and_simulates_the_same_from_its_file()
    {
        var queue = Binned with
        {
            Model = new QueueModel(
                new(0.05, 0.05, 0.02, 1),
                (BinnedQuantilesModel)Binned.Model,
                new(5, First: true, Variation: .1, QuantileTable.From([6, 7, 8.5]))
            ),
        };
        var text = LatencyModelFile.ToBytes(queue);
        var copy = LatencyModelFile.Parse(text, "model.json");
        var setup = new SimulatedFleet
        {
            Population = ProfileFile.Read("up1"),
            Clients = 20,
            Sequences = 3,
            Seed = 1,
        };
        var wrong = Encoding.UTF8.GetBytes(
            Encoding
                .UTF8.GetString(text)
                .Replace("\"milliseconds\":[6,7,8.5]", "\"milliseconds\":[6,5,8.5]", StringComparison.Ordinal)
        );
        Assert.That(LatencyModelFile.ToBytes(copy), Is.EqualTo(text));
        Assert.That(
            (((QueueModel)copy.Model).SetUp!.Milliseconds, ((QueueModel)copy.Model).SetUp!.First),
            Is.EqualTo((5.0, true))
        );
        Assert.That(
            FleetSimulation.Run(copy.Model, setup, 10, 1).WorstMilliseconds.ToArray(),
            Is.EqualTo(FleetSimulation.Run(queue.Model, setup, 10, 1).WorstMilliseconds.ToArray())
        );
        Assert.That(
            () => LatencyModelFile.Parse(wrong, "model.json"),
            Throws.InstanceOf<InputException>().With.Message.Contains("5 given after 6; allowed: ascending latencies")
        );
    }

    [Test]
    public void Files_are_written_and_read_by_path()
    {
        LatencyModelFile.Write(In("models/m.json"), Paper);
        var copy = LatencyModelFile.Read(In("models/m.json"));
        Assert.That(LatencyModelFile.ToBytes(copy), Is.EqualTo(LatencyModelFile.ToBytes(Paper)));
        Assert.That(copy.Regression!.Coefficients, Is.EqualTo(Paper.Regression!.Coefficients));
        Assert.That(Binned.Regression, Is.Null);
    }

    [Test]
    public void Training_is_described_in_the_file_and_a_file_without_the_description_can_be_read()
    {
        var text = Encoding.UTF8.GetString(LatencyModelFile.ToBytes(Binned));
        var profile = LatencyModelFile.Parse(Encoding.UTF8.GetBytes(text), "model.json").Training.Profile!;
        var older = LatencyModelFile.Parse(
            Encoding.UTF8.GetBytes(Without(Without(text, "profile"), "smallest")),
            "model.json"
        );
        Assert.That(profile.Names, Is.EqualTo(new[] { "up1" }));
        Assert.That(profile.MeanWaitMilliseconds, Is.EqualTo(Binned.Training.Profile!.MeanWaitMilliseconds));
        Assert.That(
            profile.MeanWaitMilliseconds!,
            Has.Property("Lower").InRange(20, 60).And.Property("Upper").InRange(250, 300)
        );
        Assert.That(
            (profile.SequenceLength, profile.Shares),
            Is.EqualTo((new Interval(10, 10), Binned.Training.Profile.Shares))
        );
        Assert.That(profile.Shares.Sum(share => share.Lower), Is.LessThan(1));
        Assert.That(profile.Shares.Sum(share => share.Upper), Is.GreaterThan(1));
        Assert.That(Binned.Ranges.Smallest!.Clients, Is.InRange(3, 40));
        Assert.That(older.Training.Profile, Is.Null);
        Assert.That(older.Ranges, Is.EqualTo(Binned.Ranges with { Smallest = null }));

        // Keys are written with a property after or before them, so that a comma goes with them.
        static string Without(string text, string key)
        {
            var at = text.IndexOf($"\"{key}\": {{", StringComparison.Ordinal);
            var (end, depth) = (text.IndexOf('{', at), 0);
            do depth += text[end++] switch
            {
                '{' => 1,
                '}' => -1,
                _ => 0,
            };
            while (depth > 0);
            return text[end] == ',' ? text[..at] + text[(end + 1)..] : text[..text.LastIndexOf(',', at)] + text[end..];
        }
    }

    [Test]
    public void Model_of_a_minute_of_training_stays_small() =>
        Assert.That(LatencyModelFile.ToBytes(Binned), Has.Length.LessThan(300_000));

    [TestCase(
        "\"schema\": 5",
        "\"schema\": 9",
        "model.json:2: schema: 9 given; allowed: 5, the version this program reads"
    )]
    [TestCase("\"binned-quantiles\"", "\"magic\"", "model.json:3: kind: \"magic\" given; allowed: binned-quantiles, ")]
    [TestCase("\"cases\": 15", "\"cases\": 0", ": training.cases: 0 given; allowed: an integer, at least 1")]
    [TestCase("\"fewestExchanges\": ", "\"fewestExchanges\": -", ": parameters.connect.fewestExchanges: -")]
    [TestCase(
        "\"distance\": {",
        "\"distance\": { \"x\": 1,",
        ": parameters.connect.distance.x: unknown key; allowed: active, subscribers, recentActivity"
    )]
    [TestCase(
        "\"active\":1,",
        "\"active\":7,",
        ": parameters.connect.cells[0].active: 7 given; allowed: 1, 2, 3, 4, 5, 6, 8"
    )]
    [TestCase(
        "\"active\":1,",
        "\"actve\":1,",
        ": parameters.connect.cells[0].active: the key is missing; allowed: a number, at least 0"
    )]
    [TestCase(
        "\"milliseconds\":[",
        "\"milliseconds\":[-1,",
        ": parameters.connect.cells[0].milliseconds[0]: -1 given; allowed: a number, 0 .. 1000000000"
    )]
    [TestCase("\"milliseconds\":[", "\"milliseconds\":[1e6,", ": parameters.connect.cells[0].milliseconds[1]: ")]
    [TestCase(
        "\"milliseconds\":[",
        "\"milliseconds\":[1],\"x\":[",
        ": parameters.connect.cells[0].milliseconds: 1 latencies given; allowed: 2 .. 257"
    )]
    [TestCase("\"parameters\"", "\"parametres\"", ": parameters: the key is missing; allowed: an object")]
    [TestCase(
        "\"cells\": [",
        "\"cells\": [], \"x\": [",
        ": parameters.connect.cells: no cell given; allowed: at least one"
    )]
    [TestCase(
        "\"connect\": {\n      \"fewest",
        "\"conect\": {\n      \"fewest",
        ": parameters.conect: unknown key; allowed: connect, disconnect, publish, subscribe, unsubscribe"
    )]
    public void Malformed_files_are_refused_with_file_line_and_key(string part, string replacement, string message)
    {
        var text = Encoding.UTF8.GetString(LatencyModelFile.ToBytes(Binned));
        var at = text.IndexOf(part, StringComparison.Ordinal);
        Assert.That(at, Is.Positive);
        var failure = Assert.Throws<InputException>(() =>
            LatencyModelFile.Parse(
                Encoding.UTF8.GetBytes(text[..at] + replacement + text[(at + part.Length)..]),
                "model.json"
            )
        );
        Assert.That(failure!.Message, Does.StartWith("model.json:").And.Contains(message));
    }

    [Test]
    [Category("Whole")]
    public void Cut_file_is_refused_with_its_line()
    {
        var text = LatencyModelFile.ToBytes(Binned);
        foreach (var length in new[] { 1, text.Length / 2, text.Length - 3 })
        {
            var failure = Assert.Throws<InputException>(() =>
                LatencyModelFile.Parse(text.AsSpan(0, length), "model.json")
            );
            Assert.That(failure!.Message, Does.Match("^model.json:[0-9]+: not valid JSON: "));
        }
    }

    [Test]
    public void Missing_file_is_one_clear_message() =>
        Assert.That(
            () => LatencyModelFile.Read("none.json"),
            Throws
                .InstanceOf<InputException>()
                .With.Message.EqualTo(
                    "model \"none.json\": there is no such file; allowed: the path of a model file that "
                        + "`mqttcheck learn` wrote"
                )
        );

    private static LearnedModel Learn(string learner) =>
        LatencyLearning.Learn([SyntheticBroker.TrainingLog(1, "up1", 60)], LearnerCatalogue.ByName(learner), 1);
}
