namespace MqttCheck.Clusters.Tests.Mosquitto;

/// <summary>Configurations as people have them, with secrets.</summary>
internal static class ConfCorpus
{
    /// <summary>The secrets of all files; no other word of the files has six of their letters in a row.</summary>
    public static readonly string[] Secrets =
    [
        "Hq7zRw2LmX",
        "kV9!pTx4Qn",
        "9f3c77d1e0b24ac6",
        "zebra-Quartz 41",
        "PGpw_0xC4fe77",
        "w3n.Ych8/GuR",
        "a94a8fe5ccb19ba61c4c0873d391e987982fbbd3",
    ];

    /// <summary>The files.</summary>
    public static readonly string[] Files =
    [
        """
            # Place your local configuration in /etc/mosquitto/conf.d/
            pid_file /tmp/mosquitto.pid
            persistence true
            persistence_location /var/lib/mosquitto/
            log_dest file /var/log/mosquitto/mosquitto.log

            connection edge
            address cloud.example.org:8883
            remote_username edge
            remote_password Hq7zRw2LmX
            bridge_cafile /etc/ssl/certs/ca.pem
            topic # out 1 "" site1/
            topic commands/# in 1 "" site1/
            """,
        """
            listener 1883 0.0.0.0
            allow_anonymous false
            password_file /etc/mosquitto/passwd
            acl_file /etc/mosquitto/acl

            connection to-b
            address 10.0.0.2:1883
            topic sensors/+/temperature both 2
            remote_clientid a-to-b
            username bridge
            password kV9!pTx4Qn
            cleansession false
            try_private true
            """,
        """
            per_listener_settings true
            listener 8883
            certfile /etc/mosquitto/cert.pem
            keyfile /etc/mosquitto/key.pem
            require_certificate true
            use_identity_as_username true
            listener 1883 127.0.0.1
            allow_anonymous true

            connection psk
            address far:8884
            bridge_identity gate
            bridge_psk 9f3c77d1e0b24ac6
            topic a/# both 1 l/ r/
            """,
        """
            connection one
            addresses 10.0.0.1:1883 10.0.0.2:1883 [::1]:1883
            round_robin true
            local_username loc
            local_password zebra-Quartz 41
            topic a/b
            topic "" in 2 here there
            connection two
            address ::1:1884
            remote_password Hq7zRw2LmX
            topic c/# both
            start_type lazy
            idle_timeout 30
            threshold 5
            """,
        """
            plugin /usr/lib/mosquitto_dynamic_security.so
            plugin_opt_config_file /var/lib/dynsec.json
            auth_plugin /usr/lib/go-auth.so
            auth_opt_backends postgres
            auth_opt_pg_host localhost
            auth_opt_pg_password PGpw_0xC4fe77
            auth_opt_pg_dbname mqtt
            auth_plugin_deny_special_chars true
            max_queued_messages 5000
            """,
        """
            port 1883
            bind_address 127.0.0.1
            max_connections 100
            max_inflight_messages 10
            queue_qos0_messages true
            autosave_interval 300
            autosave_on_changes false
            persistent_client_expiration 2w
            connection aws
            address x.iot.eu-west-1.amazonaws.com:8883
            bridge_protocol_version mqttv311
            bridge_insecure false
            cleansession true
            clientid bridgeawsiot
            start_type automatic
            notifications false
            bridge_attempt_unsubscribe false
            bridge_cafile /etc/rootCA.pem
            bridge_certfile /etc/cert.crt
            bridge_keyfile /etc/private.key
            topic awsiot_to_localgateway in 1
            topic localgateway_to_awsiot out 1
            """,
        """
            listener 1883
            protocol mqtt
            listener 9001
            protocol websockets
            http_dir /var/www
            max_qos 1
            tls_engine_kpass_sha1 a94a8fe5ccb19ba61c4c0873d391e987982fbbd3
            mount_point web/
            connection up
            address up
            remote_password w3n.Ych8/GuR
            remote_username u
            topic # both 0
            """,
        "persistence true\r\nconnection win\r\naddress far\r\nremote_password Hq7zRw2LmX\r\ntopic a/# out 1 l/\r\n",
        """
            connection chain
            address next
            topic # both 2 a/ b/
            local_password w3n.Ych8/GuR
            topic x/y in 0
            local_clientid l1
            remote_clientid r1
            keepalive_interval 20
            restart_timeout 5 60
            notification_topic n/state
            notifications_local_only true
            bridge_outgoing_retain false
            bridge_max_packet_size 1000
            """,
        """
            # MQTT 5
            listener 1884
            max_topic_alias 20
            max_keepalive 120
            connection five
            address five:1883
            bridge_protocol_version mqttv50
            topic $share/g/x in 1
            remote_password zebra-Quartz 41
            """,
        """
            log_type error
            log_type warning
            log_timestamp_format %Y-%m-%dT%H:%M:%S
            log_dest stdout
            sys_interval 5
            memory_limit 100000000
            message_size_limit 10000
            psk_file /etc/psk
            psk_hint hint
            user root
            """,
        """
            listener_allow_anonymous true
            global_max_connections 50
            connection new
            address far
            topic a/# both 1
            bridge_max_topic_alias 5
            bridge_session_expiry_interval 60
            remote_password kV9!pTx4Qn
            """,
        """
            connection hub-east
            address east.example.org:1883
            topic plant/+/+/state out 1 "" east/
            topic plant/cmd/# in 1 "" east/
            username east
            password PGpw_0xC4fe77

            connection hub-west
            address west.example.org:1883
            topic plant/+/+/state out 1 "" west/
            topic plant/cmd/# in 1 "" west/
            username west
            password Hq7zRw2LmX
            """,
        """
            allow_anonymous true
            connection only
            address only:1
            topic only
            bridge_identity only
            bridge_psk 9f3c77d1e0b24ac6
            bridge_tls_version tlsv1.2
            """,
        """
            max_queued_bytes 1000000
            upgrade_outgoing_qos true
            retain_available false
            set_tcp_nodelay true
            clientid_prefixes a-
            connection_messages false
            allow_zero_length_clientid false
            auto_id_prefix auto-
            connection last
            address 192.168.0.1
            local_cleansession true
            remote_password kV9!pTx4Qn
            topic t/# both 1 t1/ t2/ words behind
            """,
    ];
}
