using MqttCheck.Clients;
using MqttCheck.Latency;
using MqttCheck.Latency.Features;
using MqttCheck.Latency.Models;
using MqttCheck.Statistics;

namespace MqttCheck.Tests.Latency.Models;

public sealed class PaperRegressionModelTests
{
    private static readonly PaperRegressionModel Model = new(
        [1.0, -0.5, 2, 0.25, 0.5, 0.125, 0.01, 0.75],
        [0.3, 0.1, 0.2, 0.4, 0.5, 0.01, 0.002, 0.05],
        [true, true, true, true, false]
    );

    [Test]
    public void Mean_is_the_regression_and_sigma_combines_the_standard_errors()
    {
        var (mean, sigma) = Model.Law(
            new ExchangeFeatures
            {
                Kind = MessageKind.Publish,
                Active = 4,
                TotalSubscriptions = 50,
                Subscribers = 3,
            }
        );
        Assert.That(mean, Is.EqualTo(1 + 2 + 4 * 0.125 + 50 * 0.01 + 3 * 0.75).Within(1e-12));
        Assert.That(sigma, Is.EqualTo(Math.Sqrt(0.09 + 0.04 + 0.04 * 0.04 + 0.1 * 0.1 + 0.15 * 0.15)).Within(1e-12));
    }

    // 100 000 draws: the Dvoretzky-Kiefer-Wolfowitz bound at .01 with a false alarm rate of 5e-9.
    [Test]
    public void Draws_follow_the_folded_normal_law()
    {
        var features = new ExchangeFeatures
        {
            Kind = MessageKind.Disconnect,
            Active = 0,
            Subscribers = 0,
        };
        var folded = new PaperRegressionModel(
            [-0.2, 0, 0, 0, 0, 0, 0, 0],
            [0.5, 0, 0, 0, 0, 0, 0, 0],
            [true, true, true, true, true]
        );
        var random = RandomStream.For(1);
        var draws = Enumerable.Range(0, 100_000).Select(_ => folded.Draw(features, ref random)).Order().ToArray();
        Assert.That(draws[0], Is.Not.Negative);
        for (var i = 0; i < draws.Length; i += 100)
            Assert.That(
                ((IConditionalLaw)folded).CumulativeProbability(features, draws[i]),
                Is.EqualTo(i / 1e5).Within(0.01)
            );
    }

    [Test]
    public void Kind_that_was_never_seen_is_refused() =>
        Assert.That(
            () => Model.Law(new ExchangeFeatures { Kind = MessageKind.Unsubscribe, Active = 1 }),
            Throws.InvalidOperationException
        );
}
