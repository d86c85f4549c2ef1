using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Health;
using MqttCheck.Statistics;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Tests.Health;

/// <summary>
/// Logs of one connection whose packets leave about every millisecond. All logs are seeded.
/// </summary>
public sealed class HeldAnswersTests
{
    private const int Packets = 300,
        Logs = 400;
    private const double Interval = 1e6;

    public enum Pattern
    {
        Even,
        Poisson,
        Bursts,
    }

    // An answer is ready 1/20 of the interval after its packet, and is held back until the next one.
    [Test]
    public void Held_answers_are_found_at_any_rate([Values] Pattern pattern, [Values(1, 40, 100, 500, 5000)] int rate)
    {
        for (ulong seed = 0; seed < Logs; seed++)
        {
            var random = RandomStream.For(seed);
            var packets = Sends(pattern, ref random);
            var scale = 1000.0 / rate;
            var log = packets.Select(
                (sent, packet) =>
                {
                    var released = packets.FirstOrDefault(next => next > sent + Interval / 20, double.NaN);
                    return (sent * scale, (released + Interval / 200 * (1 + random.NextOpenDouble())) * scale);
                }
            );
            Assert.That(Share(log), Is.GreaterThan(.4), $"seed {seed}");
        }
    }

    // At an error of 1e-4 a log, 6,000 logs of 15 kinds give .6 alarms on average at most; more than 5 with
    // probability 4e-5.
    [Test]
    public void Independent_answers_are_not_named()
    {
        Law[] latencies =
        [
            new ExponentialLaw(.05),
            new ExponentialLaw(1),
            new ExponentialLaw(5),
            new UniformLaw(0, 3),
            new LogNormalLaw(1.05, .3),
        ];
        var alarms = 0;
        foreach (var pattern in Enum.GetValues<Pattern>())
        {
            foreach (var law in latencies)
            {
                for (ulong seed = 0; seed < Logs; seed++)
                {
                    var random = RandomStream.For(seed, (ulong)pattern);
                    var log = Sends(pattern, ref random)
                        .Select(sent => (sent, sent + law.Draw(ref random) * Interval))
                        .ToList();
                    if (Share(log) > 0)
                        alarms++;
                }
            }
        }
        Assert.That(alarms, Is.LessThanOrEqualTo(5));
    }

    // All of them come right after the next packet, though nothing waits for it.
    [TestCase(1.0)]
    [TestCase(1.02)]
    [TestCase(1.06)]
    public void Answers_that_take_as_long_as_the_next_packet_are_not_named(double intervals)
    {
        var alarms = 0;
        for (ulong seed = 0; seed < Logs; seed++)
        {
            var random = RandomStream.For(seed, 7);
            var log = Sends(Pattern.Even, ref random)
                .Select(sent => (sent, sent + Interval * (intervals + .005 * random.NextOpenDouble())))
                .ToList();
            if (Share(log) > 0)
                alarms++;
        }
        Assert.That(alarms, Is.Zero);
    }

    // A broker that stands still answers everything afterwards, in one burst.
    [Test]
    public void Answers_in_bursts_after_stalls_are_not_named()
    {
        for (ulong seed = 0; seed < Logs; seed++)
        {
            var random = RandomStream.For(seed, 8);
            var log = Sends(Pattern.Poisson, ref random)
                .Select(sent => (sent, Math.Ceiling(sent / (7 * Interval)) * 7 * Interval + random.NextOpenDouble()))
                .ToList();
            Assert.That(Share(log), Is.Zero, $"seed {seed}");
        }
    }

    [TestCase(.5, true)]
    [TestCase(.3, true)]
    [TestCase(.05, false)]
    public void A_share_that_matters_is_named(double share, bool isNamed)
    {
        for (ulong seed = 0; seed < Logs; seed++)
        {
            var random = RandomStream.For(seed, 9);
            var packets = Sends(Pattern.Poisson, ref random);
            var log = packets
                .Select(
                    (sent, packet) =>
                        packet + 1 < packets.Count && random.NextOpenDouble() < share
                            ? (sent, packets[packet + 1] + 1e3)
                            : (sent, sent + 5e3)
                )
                .ToList();
            Assert.That(Share(log) > 0, Is.EqualTo(isNamed), $"seed {seed}");
        }
    }

    [Test]
    public void What_was_sent_before_the_connection_began_is_not_held()
    {
        var held = new HeldAnswers();
        for (var number = 0; number < 1000; number++)
        {
            var begin = number * 100_000_000L;
            var connection = HeldAnswers.Connection.Begin(begin);
            connection.Sends(begin + 1000, begin + 1000);
            held.Arrived(ref connection, begin - 50_000_000 - number * 1000, begin + 2000);
        }
        Assert.That(held.Share, Is.Zero);
    }

    [Test]
    public void A_few_held_answers_prove_nothing()
    {
        Assert.That(new HeldAnswers().Share, Is.Zero);
        Assert.That(Share([(0, 101), (100, 211), (210, 330)]), Is.Zero);
    }

    // The law of the rule: an answer that comes before the next packet is never taken for a held one.
    [Test]
    public void An_answer_before_the_next_packet_is_never_held()
    {
        Prop.ForAll<PositiveInt[], byte>(Holds).Check(Config.QuickThrowOnFailure.WithMaxTest(500).WithReplay(8321, 17));

        static bool Holds(PositiveInt[] gaps, byte part)
        {
            var sent = 0.0;
            var log = new List<(double, double)>();
            foreach (var gap in gaps)
            {
                log.Add((sent, sent + gap.Get * 1e3 * (part / 256.0)));
                sent += gap.Get * 1e3;
            }
            return Share(log) == 0;
        }
    }

    private static List<double> Sends(Pattern pattern, ref RandomStream random)
    {
        var packets = new List<double>();
        var at = Interval;
        for (var packet = 0; packet < Packets; packet++)
        {
            at += pattern switch
            {
                Pattern.Even => Interval,
                Pattern.Poisson => -Math.Log(random.NextOpenDouble()) * Interval,
                _ => packet % 10 == 0 ? 9 * Interval : Interval / 9,
            };
            // Timers are late by up to 2 %.
            packets.Add(at + Interval / 50 * random.NextOpenDouble());
        }
        packets.Sort();
        return packets;
    }

    private static double Share(IEnumerable<(double Sent, double Arrived)> log)
    {
        var held = new HeldAnswers();
        var connection = HeldAnswers.Connection.Begin(0);
        var steps = new List<(double Time, double Since)>();
        foreach (var (sent, arrived) in log)
        {
            steps.Add((sent, double.NaN));
            // An answer that waits for a packet at the end of the log never arrives.
            if (!double.IsNaN(arrived))
                steps.Add((arrived, sent));
        }
        foreach (var (time, since) in steps.OrderBy(step => step.Time))
        {
            if (double.IsNaN(since))
                connection.Sends((long)time, (long)time);
            else
                held.Arrived(ref connection, (long)since, (long)time);
        }
        return held.Share;
    }
}
