using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Processes.Children;

namespace MqttCheck.Brokers.Tests.Processes;

/// <summary>
/// Tests of real brokers are skipped where the broker is missing, and fail in CI, where it must not be.
/// </summary>
internal static class Installed
{
    public static void Require(string command)
    {
        if (CommandSearch.Find(command) is null)
            Missing.Report($"'{command}' is not installed.");
    }

    /// <summary>Starts Mosquitto, or ignores the test where it is not installed.</summary>
    public static Task<IBrokerUnderTest> MosquittoAsync(string name = "mosquitto")
    {
        Require("mosquitto");
        return new BrokerLauncher(new BrokerLaunchOptions()).StartAsync(
            BrokerSpecification.Parse(name),
            CancellationToken.None
        );
    }
}
