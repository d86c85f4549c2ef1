using System.Reflection;

namespace MqttCheck.App.Runs;

/// <summary>Facts about the tool.</summary>
internal static class Tool
{
    /// <summary>Its version and the commit that it was built from, for example <c>1.0.0+a9a8fcba</c>.</summary>
    public static string FullVersion { get; } =
        typeof(Tool).Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion
        ?? "unknown";

    /// <summary>Its version, for example <c>1.0.0</c>.</summary>
    public static string Version { get; } = FullVersion.Split('+')[0];
}
