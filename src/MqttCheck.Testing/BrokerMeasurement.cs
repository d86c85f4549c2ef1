using MqttCheck.Brokers.Processes;
using MqttCheck.Profiles;

namespace MqttCheck.Testing;

/// <summary>
/// Begins measurements of a broker: <c>Requirement.Latency(...).Decide(await broker.Measure(UP1, clients: 50))</c>.
/// </summary>
public static class BrokerMeasurement
{
    /// <summary>
    /// Describes what to measure. The runs are made by the requirement that it is handed to, as many as that needs.
    /// </summary>
    /// <param name="broker">The broker, running.</param>
    /// <param name="population">Who the clients are and what they do.</param>
    /// <param name="clients">How many clients, 1 .. 20 000.</param>
    /// <param name="options">How to load the broker.</param>
    /// <param name="cancellation">
    /// Ends the measurement; by default the token of the <see cref="TestHost"/> that decides on it.
    /// </param>
    /// <returns>The measurement.</returns>
    /// <exception cref="InputException">A value is out of its range.</exception>
    public static Task<FleetMeasurement> Measure(
        this IBrokerUnderTest broker,
        Population population,
        int clients,
        MeasureOptions? options = null,
        CancellationToken cancellation = default
    ) => Task.FromResult(new FleetMeasurement(broker, population, clients, options ?? new(), cancellation));

    /// <summary>Describes what to measure, with clients that all follow one profile.</summary>
    /// <param name="broker">The broker, running.</param>
    /// <param name="profile">The usage profile of the clients.</param>
    /// <param name="clients">How many clients, 1 .. 20 000.</param>
    /// <param name="options">How to load the broker.</param>
    /// <param name="cancellation">Ends the measurement; by default the token of the host.</param>
    /// <returns>The measurement.</returns>
    /// <exception cref="InputException">A value is out of its range.</exception>
    public static Task<FleetMeasurement> Measure(
        this IBrokerUnderTest broker,
        UsageProfile profile,
        int clients,
        MeasureOptions? options = null,
        CancellationToken cancellation = default
    ) => broker.Measure(Population.Of(profile), clients, options, cancellation);

    /// <summary>Describes what to measure, with a profile by name.</summary>
    /// <param name="broker">The broker, running.</param>
    /// <param name="profile">The name of a built-in profile or population, or the path of a JSON file.</param>
    /// <param name="clients">How many clients, 1 .. 20 000.</param>
    /// <param name="options">How to load the broker.</param>
    /// <param name="cancellation">Ends the measurement; by default the token of the host.</param>
    /// <returns>The measurement.</returns>
    /// <exception cref="InputException">
    /// A value is out of its range, or the profile is missing or malformed.
    /// </exception>
    public static Task<FleetMeasurement> Measure(
        this IBrokerUnderTest broker,
        string profile,
        int clients,
        MeasureOptions? options = null,
        CancellationToken cancellation = default
    ) => broker.Measure(ProfileFile.Read(profile), clients, options, cancellation);
}
