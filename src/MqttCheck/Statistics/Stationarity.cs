namespace MqttCheck.Statistics;

/// <summary>The result of <see cref="ChangePoints"/> for a series.</summary>
/// <param name="State">Whether it became stationary.</param>
/// <param name="Since">
/// The index of the first value of the stationary part, meaningful if there is one; 0 when the series is stationary
/// from its beginning.
/// </param>
internal readonly record struct Stationarity(StationarityState State, int Since);
