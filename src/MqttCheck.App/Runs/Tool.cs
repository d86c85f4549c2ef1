using System.Reflection;

namespace MqttCheck.App.Runs;

/// <summary>Facts about the tool.</summary>
internal static class Tool
{
    /// <summary>Its version, for example <c>0.1.0</c>.</summary>
    public static string Version { get; } =
        typeof(Tool)
            .Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()
            ?.InformationalVersion.Split('+')[0]
        ?? "unknown";
}
