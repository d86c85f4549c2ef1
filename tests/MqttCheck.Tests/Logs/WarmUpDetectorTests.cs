using MqttCheck.Clients;
using MqttCheck.Health;
using MqttCheck.Logs;
using MqttCheck.Profiles;
using MqttCheck.Statistics;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Tests.Logs;

public sealed class WarmUpDetectorTests
{
    [TestCase(100, 100.0)]
    [TestCase(5000, 100.0)]
    public void A_run_with_a_slow_beginning_is_stationary_after_it(int exchanges, double lengthSeconds)
    {
        var warmUp = Detect(exchanges, at => at < 0.2 ? 8 : 1, lengthSeconds);
        Assert.That(warmUp.State, Is.EqualTo(StationarityState.Reached));
        Assert.That(warmUp.SinceSeconds, Is.InRange(0.17 * lengthSeconds, 0.3 * lengthSeconds));
    }

    [Test]
    public void A_steady_run_is_stationary_from_its_beginning() =>
        Assert.That(Detect(5000, _ => 1, 10), Is.EqualTo(new WarmUp(StationarityState.Reached, 0)));

    [Test]
    public void A_run_that_gets_slower_and_slower_never_is() =>
        Assert.That(Detect(5000, at => Math.Exp(4 * at), 10).State, Is.EqualTo(StationarityState.Never));

    [Test]
    public void A_few_exchanges_say_nothing() =>
        Assert.That(Detect(10, _ => 1, 1).State, Is.EqualTo(StationarityState.Unknown));

    [Test]
    public void Resets_and_failures_do_not_count()
    {
        var detector = new WarmUpDetector();
        for (var i = 0; i < 1000; i++)
        {
            detector.Add(
                new Exchange
                {
                    Phase = ExchangePhase.Reset,
                    LatencyMilliseconds = i,
                    EndMicroseconds = i,
                }
            );
            detector.Add(
                new Exchange
                {
                    Outcome = ExchangeOutcome.Timeout,
                    LatencyMilliseconds = double.NaN,
                    EndMicroseconds = i,
                }
            );
        }
        Assert.That(detector.Find().State, Is.EqualTo(StationarityState.Unknown));
    }

    [Test]
    public void Each_stage_is_judged_by_itself()
    {
        var profile = ProfileFile.Read("up1").Groups[0].Profile with
        {
            RampUpSeconds = 10,
            Stages = [new(45, 1), new(45, 5)],
        };
        var stages = StageClock.Of(Population.Of(profile), 5);
        // A ramp-up that is never steady, then two loads: slow while the load is high.
        double Steady(double at) =>
            at < .1 ? 100 * at + 1
            : stages!.StageAt(at * 100) == 0 ? 2
            : 20;
        // The same, but late in the second stage it gets slower.
        double Worse(double at) => at > .85 ? 40 : Steady(at);
        Assert.That(
            (Detect(20_000, Steady, 100, stages).State, Detect(20_000, Worse, 100, stages).State),
            Is.EqualTo((StationarityState.Reached, StationarityState.Never))
        );
        Assert.That(Detect(20_000, Steady, 100), Is.Not.EqualTo(new WarmUp(StationarityState.Reached, 0)));
    }

    private static WarmUp Detect(
        int exchanges,
        Func<double, double> medianMilliseconds,
        double lengthSeconds,
        StageClock? stages = null
    )
    {
        var random = RandomStream.For(7);
        var detector = new WarmUpDetector(stages);
        for (var i = 0; i < exchanges; i++)
        {
            var at = (double)i / exchanges;
            detector.Add(
                new LogNormalLaw(medianMilliseconds(at), 0.3).Draw(ref random),
                at * lengthSeconds,
                publication: i % 2 == 0
            );
        }
        return detector.Find();
    }
}
