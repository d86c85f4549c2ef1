using System.Globalization;
using MqttCheck.ClusterProtocols.Pipeline.Simulating;

namespace MqttCheck.Pipeline.Commands;

/// <summary>
/// Runs <c>mqttcheck-pipeline calibrate</c>, which estimates how often a pipeline with the published means is in time.
/// </summary>
internal static class FitCommand
{
    private const double Acknowledgement = 8;
    private const double Delivery = 75;
    private const double Error = 0.01;
    private const ulong Seed = 1;

    /// <summary>Fits, simulates and prints.</summary>
    public static int Run(int replications)
    {
        var times = PipelineCalibration.Fit(Acknowledgement, Delivery, Seed);
        var result = PipelineCalibration.Measure(times, Seed, replications, Error);
        Console.WriteLine(
            string.Create(
                CultureInfo.InvariantCulture,
                $"""
                fitted to an acknowledgement of {Acknowledgement} ms and a delivery of {Delivery} ms in the mean:
                  the log takes {times.Append:0.00} ms for an append and {times.Commit:0.00} ms for a commit in the mean
                  linger 5 ms, packs of up to 1000 records, third hop in 4 of 5 cases
                simulated, {replications} replications, seed {Seed}:
                  acknowledgement {result.Acknowledgement:0.00} ms, delivery {result.Delivery:0.00} ms
                  P(delivery < {PipelineCalibration.DeadlineMilliseconds} ms) = {result.InTime:0.0000}
                  interval {result.Interval.Lower:0.0000} .. {result.Interval.Upper:0.0000}, at error {Error}
                """
            )
        );
        return 0;
    }
}
