namespace MqttCheck.Clusters.Mosquitto.Reading;

/// <summary>The part of a configuration that a setting belongs to.</summary>
internal enum ConfScope
{
    /// <summary>The broker.</summary>
    Global,

    /// <summary>The broker; the listener above it with <c>per_listener_settings true</c>.</summary>
    Security,

    /// <summary>The plugin above it.</summary>
    Plugin,

    /// <summary>The listener above it; the default listener where there is none.</summary>
    Listener,

    /// <summary>The default listener, wherever it stands.</summary>
    DefaultListener,

    /// <summary>The bridge above it, which there must be.</summary>
    Bridge,

    /// <summary>A line that opens a block or another file.</summary>
    Opening,
}
