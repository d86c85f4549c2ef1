using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Clients;
using MqttCheck.Latency.Features;
using MqttCheck.Latency.Models;
using MqttCheck.Statistics;

namespace MqttCheck.Tests.Latency.Models;

public sealed class LinearNormalModelTests
{
    [Test]
    public void Law_is_that_of_the_whole_design_row_for_every_kind() =>
        Check.One(
            Config.QuickThrowOnFailure.WithMaxTest(500),
            Prop.ForAll(
                ArbMap.Default.GeneratorFor<ulong>().ToArbitrary(),
                seed =>
                {
                    var random = RandomStream.For(seed);
                    var n = LinearNormalModel.Regressors.Length;
                    var (coefficients, factor) = (new double[n], new double[n * n]);
                    foreach (ref var coefficient in coefficients.AsSpan())
                        coefficient = random.NextDouble() * 4 - 2;
                    foreach (ref var entry in factor.AsSpan())
                        entry = random.NextDouble() * 2 - 1;
                    // A product of a matrix with its transpose is a covariance.
                    var covariance = new double[n * n];
                    for (var i = 0; i < n; i++)
                    for (var j = 0; j < n; j++)
                    for (var k = 0; k < n; k++)
                        covariance[i * n + j] += factor[i * n + k] * factor[j * n + k];
                    var deviation = random.NextDouble();
                    var model = new LinearNormalModel(
                        coefficients,
                        covariance,
                        deviation,
                        [true, true, true, true, true]
                    );
                    var features = new ExchangeFeatures
                    {
                        Kind = (MessageKind)random.NextInt(MessageKinds.Count),
                        Active = 1 + random.NextInt(100),
                        TotalSubscriptions = random.NextInt(1000),
                        Subscribers = random.NextInt(30),
                        Withheld = random.NextInt(10),
                        RecentActivity = random.NextDouble() * 10,
                    };

                    Span<double> row = stackalloc double[n];
                    LinearNormalModel.Fill(features, row);
                    double mean = 0,
                        variance = deviation * deviation;
                    for (var i = 0; i < n; i++)
                    {
                        mean += row[i] * coefficients[i];
                        for (var j = 0; j < n; j++)
                            variance += row[i] * covariance[i * n + j] * row[j];
                    }

                    var (lawMean, lawSigma) = model.Law(features);
                    // Sums of terms up to 1e6 times as large as the result lose six of sixteen digits.
                    return Math.Abs(lawMean - mean) <= 1e-9 * (1 + Math.Abs(mean))
                        && Math.Abs(lawSigma - Math.Sqrt(variance)) <= 1e-9 * (1 + Math.Sqrt(variance));
                }
            )
        );
}
