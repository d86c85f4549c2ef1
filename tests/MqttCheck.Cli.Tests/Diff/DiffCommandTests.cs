using System.Text.Json;
using MqttCheck.App.Diff;
using MqttCheck.Cli.Diff;
using MqttCheck.Cli.Tests.Verify;
using MqttCheck.Predictions;
using MqttCheck.Statistics.Laws;
using MqttCheck.Verification.Deciding;

namespace MqttCheck.Cli.Tests.Diff;

[TestFixture]
internal sealed class DiffCommandTests : DirectoryFixture
{
    private string Written(string name, Prediction prediction)
    {
        var path = In(name);
        PredictionFile.Write(path, prediction);
        return path;
    }

    // Slower sensors, other thresholds' probabilities: up1 falls from .87 to .60, with intervals of .02 either side.
    private static Prediction Changed(Prediction before) =>
        before with
        {
            Populations =
            [
                .. before.Populations.Select(population =>
                    population.Name != "up1"
                        ? population
                        : population with
                        {
                            Groups =
                            [
                                population.Groups[0] with
                                {
                                    Profile = population.Groups[0].Profile with
                                    {
                                        WaitMilliseconds = new UniformLaw(0, 1000),
                                    },
                                },
                            ],
                        }
                ),
            ],
            Points =
            [
                .. before.Points.Select(point =>
                    point.Profile == "up1" ? point with { Probability = .6, Interval = new(.58, .62) } : point
                ),
            ],
        };

    [Test]
    public async Task The_difference_has_an_interval_and_the_changed_keys_are_named()
    {
        var (first, second) = (
            Written("a.json", SamplePrediction.Predicted),
            Written("b.json", Changed(SamplePrediction.Predicted))
        );
        var (code, screen) = await TestTool.RunAsync("diff", first, second);
        Assert.That(code, Is.EqualTo(ExitCode.Success), screen.Error);
        Assert.That(screen.Output, Does.Match(@"changed: up1\.waitMilliseconds\S*: .*500.* -> .*1000"));
        Assert.That(
            screen.Output.Split('\n').Count(line => line.StartsWith("changed: ", StringComparison.Ordinal)),
            Is.EqualTo(1)
        );
        // .02 and .02 make .028.
        Assert.That(
            screen.Output,
            Does.Match(@"up1, 200 clients +same +17 ms +0\.870 +0\.600 +-0\.270 +\[-0\.298, -0\.242\] +second is worse")
                .And.Match(@"up2, 200 clients .* no difference is shown")
        );
        Assert.That(
            ChangedKeys.Between(SamplePrediction.Predicted, SamplePrediction.Predicted),
            Is.Empty,
            "the same is no change"
        );
    }

    [Test]
    public async Task As_JSON_it_has_the_same_numbers()
    {
        var (first, second) = (
            Written("a.json", SamplePrediction.Predicted),
            Written("b.json", Changed(SamplePrediction.Predicted))
        );
        var (_, screen) = await TestTool.RunAsync("diff", first, second, "--format", "json");
        using var json = JsonDocument.Parse(screen.Output);
        var one = json.RootElement.GetProperty("differences")[0];
        Assert.That(
            (one.GetProperty("difference").GetDouble(), one.GetProperty("lower").GetDouble()),
            Is.EqualTo((-.27, -.27 - .02 * Math.Sqrt(2))).Within(1e-9)
        );
    }

    // The shipped model, seed 1, 300 replications: -.016 at 13 ms with 1060. The predictions' own intervals are some
    // .06 to both sides.
    [Test]
    public async Task Halved_waits_on_the_shipped_model_are_told_apart_by_the_same_random_numbers()
    {
        var shipped = RepositoryFiles.Model;
        var profile = await System.IO.File.ReadAllTextAsync(RepositoryFiles.At("profiles/up2.json"));
        await System.IO.File.WriteAllTextAsync(
            In("up2.json"),
            profile.Replace("[50, 250]", "[25, 125]", StringComparison.Ordinal)
        );
        await Predict("up2", In("a.json"));
        await Predict(In("up2.json"), In("b.json"));
        var (_, screen) = await TestTool.RunAsync("diff", In("a.json"), In("b.json"), "--format", "json");
        using var json = JsonDocument.Parse(screen.Output);
        var one = json.RootElement.GetProperty("differences")[0];
        var (lower, upper) = (Number("lowerInModel"), Number("upperInModel"));
        using var scope = Assert.EnterMultipleScope();
        Assert.That(upper - lower, Is.LessThan(.04).And.GreaterThan(0));
        Assert.That(Number("difference"), Is.InRange(lower, upper));
        Assert.That((Number("lower") < lower, Number("upper") > upper), Is.EqualTo((true, true)), "the model errs too");
        Assert.That(Number("difference"), Is.EqualTo(Number("secondProbability") - Number("firstProbability")));

        double Number(string name) => one.GetProperty(name).GetDouble();

        async Task Predict(string name, string file)
        {
            string[] options = ["--clients", "50", "--threshold", "13ms", "--replications", "300"];
            var (code, predicted) = await TestTool.RunAsync([
                "predict",
                "--model",
                shipped,
                "--profile",
                name,
                "--out",
                file,
                .. options,
            ]);
            Assert.That(code, Is.EqualTo(ExitCode.Success), predicted.Error);
        }
    }
}
