using MqttCheck.Workers.Tests.Coordinating;

namespace MqttCheck.Workers.Tests;

/// <summary>Makes the tests a program: a worker, until it is killed.</summary>
internal static class Program
{
    private static Task Main(string[] args) => ChildWorker.ServeAsync(args[0]);
}
