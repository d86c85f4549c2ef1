using MqttCheck.Cli.Results;
using MqttCheck.Cli.Verify;
using MqttCheck.Predictions;
using MqttCheck.Reports.Input;
using MqttCheck.Verification;

namespace MqttCheck.Cli.Tests.Verify;

[TestFixture]
internal sealed class VerdictTableTests : DirectoryFixture
{
    private static readonly PredictedPoint Point = new("up1", 130, 20, .85, new(.83, .87));

    [Test]
    public void Each_verdict_stands_beside_its_expected_samples_and_its_Monte_Carlo_estimate()
    {
        var screen = new TestScreen();
        var prediction = new Prediction
        {
            Model = new("m.json", "", "binned", "embedded"),
            Options = new() { Seed = 1 },
            Populations = [],
            Setups = [],
            Points = [Point, Point with { Clients = 50 }],
        };
        VerdictTable.Print(
            screen.Screen,
            prediction,
            [
                Verdict(VerdictKind.Confirmed) with
                {
                    Samples = 500,
                    ExpectedSamples = 195.6,
                    CountsAsPredicted = new(.75, .95),
                    ElapsedSeconds = 20,
                    MonteCarlo = Estimate(true),
                },
                Verdict(VerdictKind.Worse) with
                {
                    Point = Point with { Clients = 50 },
                    Samples = 600,
                    ElapsedSeconds = 20,
                    MonteCarlo = Estimate(null),
                },
            ]
        );
        Assert.That(
            screen.Output,
            Does.Match("point +predicted  counts as predicted  verdict")
                .And.Match(
                    @"up1, 130 clients, 20 ms +0\.850 +0\.750 to 0\.950 +confirmed +500 +196 +0\.870 +0\.840 to 0\.895 +2,080 in 5 runs +yes"
                )
                .And.Match(@"up1, 50 clients, 20 ms +0\.850 +– +worse +600 +– +0\.870 .* unclear")
                .And.Contain("Monte Carlo confirms 1 of 2 verdicts, leaves 1 open.")
        );
    }

    // .9 - .1 and nothing better to reject; a side widened to .15; two points with half of the error each.
    [Test]
    public void What_a_verdict_rejects_and_the_error_of_all_of_them_are_printed()
    {
        var screen = new TestScreen();
        var points = new[] { .95, .75, .6 }
            .Select((probability, index) => Point with { Clients = 100 + index, Probability = probability })
            .ToArray();
        var prediction = new Prediction
        {
            Model = new("m.json", "", "binned", "embedded"),
            Options = new() { Seed = 1 },
            Populations = [],
            Setups = [],
            Points = points,
        };
        VerdictTable.Print(
            screen.Screen,
            prediction,
            [
                Verdict(VerdictKind.NotWorse) with
                {
                    Point = points[0],
                    CountsAsPredicted = new(.85, 1),
                    ErrorProbability = .005,
                    ElapsedSeconds = 20,
                },
                Verdict(VerdictKind.Confirmed) with
                {
                    Point = points[1],
                    CountsAsPredicted = new(.6, .9),
                    ErrorProbability = .005,
                    ElapsedSeconds = 20,
                },
                Verdict(VerdictKind.Worse) with
                {
                    Point = points[2],
                    CountsAsPredicted = new(.5, .7),
                    ErrorProbability = .005,
                    ElapsedSeconds = 20,
                },
            ]
        );
        Assert.That(
            screen.Output,
            Does.Match(@"100 +0\.950 .*not worse +<=0\.850 +-")
                .And.Match(@"101 +0\.750 .*confirmed +<=0\.600 >=0\.900 ")
                .And.Match(@"102 +0\.600 .*worse +>=0\.500 ")
                .And.Contain(
                    "All verdicts together: wrong with a probability of at most 0.015, if what they assume holds."
                )
        );
    }

    [Test]
    public void A_verdict_file_reads_back_as_it_was_written()
    {
        var document = new VerdictDocument
        {
            ToolVersion = "1",
            Broker = new BrokerReport { Name = "embedded" },
            Prediction = "p.json",
            Log = "l.csv",
            Seed = ulong.MaxValue,
            Repeat = "mqttcheck verify p.json",
            Verdicts =
            [
                Verdict(VerdictKind.Worse) with
                {
                    Inflation = double.PositiveInfinity,
                    MeasuredInterval = new(.1, .2),
                },
            ],
        };
        VerdictFile.Write(In("sub/v.json"), document);
        var read = VerdictFile.Read(In("sub/v.json"));
        Assert.That(
            read.Verdicts[0] with
            {
                Paths = document.Verdicts[0].Paths,
                RunCounts = document.Verdicts[0].RunCounts,
            },
            Is.EqualTo(document.Verdicts[0])
        );
        Assert.That((read.Seed, read.Broker.Name), Is.EqualTo((ulong.MaxValue, "embedded")));
    }

    [TestCase("{ \"format\": \"something-else\" }")]
    [TestCase("[]")]
    [TestCase("{ \"format\": 1 ")]
    public void Another_file_is_no_verdict_file(string text)
    {
        File.WriteAllText(In("v.json"), text);
        Assert.That(
            () => VerdictFile.Read(In("v.json")),
            Throws.TypeOf<InputException>().With.Message.Contains(In("v.json"))
        );
    }

    private static MonteCarloReport Estimate(bool? confirms) => new(2080, 5, .87, new(.84, .895), .99, confirms);

    private static VerdictReport Verdict(VerdictKind kind) =>
        new()
        {
            Point = Point,
            Kind = kind,
            Reason = "because",
        };
}
