using FsCheck;
using FsCheck.Fluent;
using MqttCheck.ClusterProtocols.Predicting;

namespace MqttCheck.ClusterProtocols.Tests.Predicting;

[TestFixture]
internal sealed class DeliveryTimesTests
{
    // False alarms: none. Times of all magnitudes, from nothing to a day.
    [Test]
    public void Quantiles_are_the_order_statistics_to_a_hundredth_and_the_mean_is_exact()
    {
        var nanoseconds = Gen.Choose(0, 46)
            .SelectMany(magnitude =>
                Gen.Choose(0, int.MaxValue).Select(part => (long)Math.ScaleB(part, magnitude - 31))
            )
            .NonEmptyListOf()
            .ToArbitrary();
        Check.One(
            Config.QuickThrowOnFailure.WithReplay(4711, 17).WithMaxTest(300),
            Prop.ForAll(
                nanoseconds,
                Gen.Choose(1, 1000).ToArbitrary(),
                (given, permille) =>
                {
                    var times = new DeliveryTimes();
                    foreach (var time in given)
                        times.Add(time);
                    var rank = (int)Math.Ceiling(permille / 1000.0 * given.Count);
                    var exact = given.Order().ElementAt(rank - 1) / 1e6;
                    var quantile = times.QuantileMilliseconds(permille / 1000.0)!.Value;
                    return quantile >= exact * (1 - 1e-12)
                        && quantile <= exact * 1.01 * (1 + 1e-12)
                        && Math.Abs(times.MeanMilliseconds!.Value - given.Average() / 1e6) <= 1e-9 * given.Average();
                }
            )
        );
    }

    [Test]
    public void Without_times_nothing_is_known() =>
        Assert.That(
            (new DeliveryTimes().MeanMilliseconds, new DeliveryTimes().QuantileMilliseconds(.5)),
            Is.EqualTo(((double?)null, (double?)null))
        );
}
