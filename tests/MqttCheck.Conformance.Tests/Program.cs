using System.Globalization;
using MqttCheck.Conformance.Tests.Roles;

namespace MqttCheck.Conformance.Tests;

/// <summary>Makes the tests a program: a client of MQTTnet, until it is killed. Arguments: PORT 311|5.</summary>
internal static class Program
{
    private static Task Main(string[] args) =>
        MqttNetClient.RunAsync(int.Parse(args[0], CultureInfo.InvariantCulture), args[1] == "5");
}
