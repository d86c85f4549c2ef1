using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Reports.Builders;

namespace MqttCheck.Reports.Tests.Builders;

public sealed class EvidencePathBuilderTests
{
    [Test]
    public void A_short_path_is_kept_whole_and_begins_at_the_origin()
    {
        var path = EvidencePathBuilder.From(new() { Name = "not worse" }, [0.1, 0.2, -1]);
        Assert.Multiple(() =>
        {
            Assert.That(path.Samples, Is.EqualTo([0, 1, 2, 3]));
            Assert.That(path.LogRatios, Is.EqualTo([0, 0.1, 0.2, -1]));
        });
    }

    [Test]
    public void A_long_path_keeps_its_extremes_and_its_end()
    {
        var steps = Gen.Choose(-5, 3).Select(step => step / 7.0).ListOf(20_000).Select(list => list.ToArray());
        Check.One(
            Config.QuickThrowOnFailure.WithReplay(42, 1).WithMaxTest(20),
            Prop.ForAll(
                steps.ToArbitrary(),
                increments =>
                {
                    var sum = 0.0;
                    double[] ratios = [.. increments.Select(step => sum += step)];
                    var path = EvidencePathBuilder.From(new() { Name = "not worse" }, ratios);
                    return path.Samples.Count < 800
                        && path.LogRatios.Min() == Math.Min(0, ratios.Min())
                        && path.LogRatios.Max() == Math.Max(0, ratios.Max())
                        && path.Samples[^1] == ratios.Length
                        && path.LogRatios[^1] == ratios[^1]
                        && path.Samples.Zip(path.Samples.Skip(1)).All(pair => pair.First < pair.Second);
                }
            )
        );
    }
}
