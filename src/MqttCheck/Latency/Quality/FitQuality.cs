namespace MqttCheck.Latency.Quality;

/// <summary>
/// How well a model that was learned without them describes the exchanges of held-out training cases. The probability
/// integral transform u = F(latency | features) of a calibrated model is uniform. These figures find a wrong shape;
/// that a closed loop is predicted well they do not show.
/// </summary>
/// <param name="HeldOutCases">How many cases were held out.</param>
/// <param name="Exchanges">How many exchanges they held.</param>
/// <param name="KolmogorovSmirnov">
/// The largest distance between the distribution of u and the uniform one, 0 .. 1.
/// </param>
/// <param name="AboveNinetyNinePercent">
/// The share of exchanges above their predicted 99 % quantile; .01 is right.
/// </param>
public sealed record FitQuality(
    int HeldOutCases,
    int Exchanges,
    double KolmogorovSmirnov,
    double AboveNinetyNinePercent
);
