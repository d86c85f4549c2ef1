using System.Text;
using MqttCheck.Latency.Models;
using MqttCheck.Predictions;
using MqttCheck.Profiles;
using MqttCheck.Statistics.Laws;
using MqttCheck.Tests.Simulation;

namespace MqttCheck.Tests.Predictions;

public sealed class PredictionFileTests : DirectoryFixture
{
    private static readonly PredictionOptions Options = new()
    {
        Seed = ulong.MaxValue,
        Replications = 50,
        Confidence = .95,
        TimerGridMilliseconds = 1,
        PilotSequences = 100,
    };

    private static Prediction Sample()
    {
        var model = new LawLatencyModel(new LogNormalLaw(5, .5));
        Population[] populations =
        [
            Population.Of(TestProfiles.Up1),
            new()
            {
                Name = "mixed",
                Groups =
                [
                    new("a", 1, TestProfiles.Up1),
                    new("b", 2.5, TestProfiles.Publisher(new ExponentialLaw(100))),
                ],
            },
        ];
        SetupPrediction[] setups =
        [
            .. populations.Select(population => Predictor.Predict(model, population, 60, Options)),
        ];
        return new()
        {
            Model = new("models/default.json", "00ff", "laws", "mosquitto 2.0.11, default settings, größe")
            {
                ReplayedCases = 15,
            },
            Options = Options,
            Indifference = .08,
            Populations = populations,
            Setups = [.. setups.Select(PredictedSetup.Of)],
            Points = [.. setups.SelectMany(setup => ThresholdChooser.Grid(setup).Select(setup.Point))],
            Notes = ["a note", "a warning"],
            Cautions = ["a warning"],
        };
    }

    [Test]
    public void What_was_written_is_read_back()
    {
        var prediction = Sample();
        var bytes = PredictionFile.ToBytes(prediction);
        var read = PredictionFile.Parse(bytes, "p.json");
        Assert.That(
            (read.Model, read.Options with { Threads = 1 }, read.Points),
            Is.EqualTo((prediction.Model, prediction.Options with { Threads = 1 }, prediction.Points))
        );
        Assert.That(
            (read.Notes, read.Cautions, read.Indifference),
            Is.EqualTo((prediction.Notes, prediction.Cautions, .08))
        );
        Assert.That(
            read.PopulationOf(read.Points[^1]).Groups[1].Profile.WaitMilliseconds,
            Is.EqualTo(new ExponentialLaw(100))
        );
        Assert.That(Encoding.UTF8.GetString(bytes), Does.Contain("größe").And.Not.Contain("\r"));
    }

    [Test]
    public void Intervals_say_what_they_hold_and_those_of_an_earlier_version_that_they_held_less()
    {
        var text = Encoding.UTF8.GetString(PredictionFile.ToBytes(Sample()));
        var earlier = PredictionFile.Parse(
            Encoding.UTF8.GetBytes(
                text.Replace("\"version\": 2", "\"version\": 1").Replace(",\n    \"replayedCases\": 15", "")
            ),
            "earlier.json"
        );
        Assert.That(text, Does.Contain("\"version\": 2").And.Contain("\"replayedCases\": 15"));
        Assert.That(Sample().IntervalTitle, Is.EqualTo("95 % interval"));
        Assert.That(
            Sample().IntervalMeaning,
            Does.StartWith(
                "95 of 100 such intervals hold what one long measurement shows, on "
                    + "the same broker and machine, if errors are like those of the 15"
            )
        );
        Assert.That(
            (Sample() with { Model = Sample().Model with { ReplayedCases = 0 } }).IntervalMeaning,
            Does.Contain("the simulation only")
        );
        Assert.That(earlier.Model.ReplayedCases, Is.Null);
        Assert.That(earlier.Points, Is.EqualTo(Sample().Points));
        Assert.That(
            earlier.IntervalMeaning,
            Does.Contain("earlier version, which called them 95 % intervals").And.Contain("Predict again")
        );
        Assert.That(
            PredictionFile.Parse(PredictionFile.ToBytes(earlier), "again.json").IntervalMeaning,
            Is.EqualTo(earlier.IntervalMeaning)
        );
    }

    [Test]
    public void A_file_is_written_whole_and_replaced()
    {
        PredictionFile.Write(In("p.json"), Sample() with { Notes = [] });
        PredictionFile.Write(In("p.json"), Sample());
        Assert.That(PredictionFile.Read(In("p.json")).Notes, Is.EqualTo(Sample().Notes));
        Assert.That(Directory.GetFiles(Folder), Has.Length.EqualTo(1));
    }

    [Test]
    public void A_setup_keeps_every_order_statistic_of_a_small_sample_and_the_ends_of_a_large_one()
    {
        var model = new LawLatencyModel(new LogNormalLaw(5, .5));
        var small = Predictor.Predict(model, Population.Of(TestProfiles.Up1), 7, Options);
        Assert.That(
            PredictedSetup.Of(small).WorstMilliseconds,
            Is.EqualTo(small.SortedWorstMilliseconds.ToArray()).Within(5e-7)
        );
        var large = Predictor.Predict(model, Population.Of(TestProfiles.Up1), 70, Options);
        var table = PredictedSetup.Of(large).WorstMilliseconds;
        Assert.That(table, Has.Count.EqualTo(2000).And.Ordered);
        Assert.That(
            (table[0], table[^1]),
            Is.EqualTo((large.SortedWorstMilliseconds[0], large.SortedWorstMilliseconds[^1])).Within(5e-7)
        );
    }

    [Test]
    public void The_most_informative_point_of_each_setup_is_the_one_nearest_85_percent()
    {
        var prediction = Sample();
        Assert.That(prediction.MostInformativePoints, Has.Count.EqualTo(2));
        foreach (var best in prediction.MostInformativePoints)
        {
            var others = prediction.Points.Where(point => point.Profile == best.Profile);
            Assert.That(
                others.Min(point => Math.Abs(point.Probability - .85)),
                Is.EqualTo(Math.Abs(best.Probability - .85))
            );
        }
    }

    [Test]
    public void A_point_that_is_too_vague_to_be_confirmed_is_the_most_informative_one_only_where_all_are()
    {
        PredictedPoint wide = new("up1", 200, 10, .85, new(.4, 1)),
            narrow = new("up1", 200, 20, .97, new(.9, 1));
        Assert.That((Sample() with { Points = [wide, narrow] }).MostInformativePoints, Is.EqualTo(new[] { narrow }));
        Assert.That(
            (Sample() with { Points = [wide, narrow with { Interval = new(.4, 1) }] }).MostInformativePoints,
            Is.EqualTo(new[] { wide })
        );
    }

    [TestCase("{}", "p.json:1: format: the key is missing; allowed: \"mqttcheck-prediction\"")]
    [TestCase("[]", "an array given; allowed: an object")]
    [TestCase(
        "{\"format\": \"mqttcheck-model\", \"version\": 1}",
        "format: \"mqttcheck-model\" given; allowed: \"mqttcheck-prediction\""
    )]
    [TestCase(
        "{\"format\": \"mqttcheck-prediction\", \"version\": 3}",
        "version: 3 given; allowed: an integer, 1 .. 2"
    )]
    [TestCase("{\"format\": \"mqttcheck-prediction\", \"version\": 1}", "points: the key is missing")]
    [TestCase("{\"format\": ", "p.json:1: not valid JSON")]
    public void A_file_that_is_no_prediction_is_refused(string text, string finding) =>
        Assert.That(
            () => PredictionFile.Parse(Encoding.UTF8.GetBytes(text), "p.json"),
            Throws.TypeOf<InputException>().With.Message.Contains(finding)
        );

    [TestCase(
        "\"seed\": 18446744073709551615",
        "\"seed\": 18446744073709551616",
        "options.seed: 18446744073709551616 given; allowed: an integer, 0 .. 18446744073709551615"
    )]
    [TestCase("\"seed\": 18446744073709551615", "\"seed\": -1", "options.seed: -1 given")]
    [TestCase(
        "\"confidence\": 0.95",
        "\"confidence\": 1.5",
        "options.confidence: 1.5 given; allowed: a number, 0.001 .. 0.999999999"
    )]
    [TestCase("\"clients\": 60", "\"clients\": 0", "clients: 0 given; allowed: an integer, at least 1")]
    [TestCase("\"lower\": ", "\"lower\": 1, \"x\": ", "unknown key; allowed: profile, clients")]
    [TestCase(
        "\"profile\": \"mixed\"",
        "\"profile\": \"other\"",
        "profile \"other\" given; allowed: the name of one of the file's populations"
    )]
    public void A_wrong_value_is_named_with_its_place(string right, string wrong, string finding)
    {
        var text = Encoding.UTF8.GetString(PredictionFile.ToBytes(Sample()));
        Assert.That(text, Does.Contain(right));
        var broken = Encoding.UTF8.GetBytes(text.Replace(right, wrong, StringComparison.Ordinal));
        Assert.That(
            () => PredictionFile.Parse(broken, "p.json"),
            Throws.TypeOf<InputException>().With.Message.Contains(finding)
        );
    }

    // A file is no folder, so nothing can be written into it.
    [Test]
    public void A_missing_file_and_an_impossible_path_are_input_errors()
    {
        Assert.That(
            () => PredictionFile.Read("no/such/file.json"),
            Throws
                .TypeOf<InputException>()
                .With.Message.Contains("no/such/file.json")
                .And.Message.Contains("there is no such file")
        );
        File.WriteAllText(In("file"), "");
        Assert.That(
            () => PredictionFile.Write(In("file/file.json"), Sample()),
            Throws.TypeOf<InputException>().With.Message.Contains("cannot be written")
        );
    }
}
